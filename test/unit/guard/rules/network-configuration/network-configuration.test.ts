import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  network: {
    denied: `
      iptables -F
      iptables -t nat -A PREROUTING -j ACCEPT
      ip6tables -P INPUT ACCEPT
      nft flush ruleset
      ufw disable
      ufw allow 22
      firewall-cmd --add-port=80/tcp
      pfctl -d
      ip link set eth0 down
      ip addr add 10.0.0.2/24 dev eth0
      ip route del default
      ip -6 route flush table main
      ifconfig eth0 down
      route add default gw 10.0.0.1
      nmcli con down home
      nmcli radio wifi off
      networksetup -setdnsservers Wi-Fi 1.1.1.1
      scutil --set HostName x
      resolvectl dns eth0 1.1.1.1
      hostnamectl set-hostname x
      hostname evil
      tc qdisc add dev eth0 root netem delay 100ms
      sysctl -w net.ipv4.ip_forward=1
      wg-quick up wg0`,
    allowed: `
      iptables -L -n
      iptables -S
      nft list ruleset
      ufw status verbose
      firewall-cmd --list-all
      ip addr
      ip a
      ip -br link show
      ip route get 1.1.1.1
      ip rule list
      ip l
      ip a s
      ip -s -s link ls up
      ip addr show dev eth0
      ifconfig
      ifconfig eth0
      route -n
      nmcli device status
      networksetup -listallnetworkservices
      scutil --dns
      hostname
      hostname -I
      hostnamectl
      resolvectl status
      ss -tlnp`,
  },
})
