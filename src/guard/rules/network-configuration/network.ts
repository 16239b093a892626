import type { Rule } from '../../rule.ts'
import { says, type Sayings } from '../../targets/says.ts'

/** `ip [options] object verb`: only these verbs change something. */
const ipChanges =
  /^(?:-\S+ (?:\S+ (?=[a-z]+ ))?)*[a-z0-9]+ (?:(?:state|policy|route|rule) )?(?:add|a|append|change|chg|replace|repl|set|del|delete|d|flush|f|save|restore|attach|detach|exec)(?: |$)/
const tables =
  /(?:^|\s)(?:-[ADIRFXPNEZ]|--(?:append|delete|insert|replace|flush|delete-chain|policy|new-chain|rename-chain|zero))\b/

const told: Sayings = {
  ip: ipChanges,
  iptables: tables,
  ip6tables: tables,
  ebtables: tables,
  arptables: tables,
  'iptables-restore': /^/,
  'ip6tables-restore': /^/,
  nft: /^(?:-\S+ )*(?:add|create|insert|delete|destroy|replace|flush|reset|rename|import|-f)\b|(?:^|\s)-f\b|--file/,
  ipset: /^(?:create|add|del|destroy|flush|swap|rename|restore|[NADXFWER]|-[NADXFWER])\b/,
  ufw: /^(?:--force )?(?!status|app (?:list|info)|show|version)\S/,
  'firewall-cmd':
    /--(?:add|remove|set|change|new|delete|reload|complete-reload|panic-on|load|runtime-to-permanent|lockdown-on)/,
  firewalld: /^/,
  pfctl: /(?:^|\s)-\w*[defFkKtTx]/,
  ifconfig: /^\S+ \S/,
  ifup: /^/,
  ifdown: /^/,
  route: /(?:^|\s)(?:add|del|delete|change|flush)\b/,
  nmcli:
    /^(?:-\S+ (?:\S+ )?)*(?:c|con|conn|connection|d|dev|device|n|net|networking|r|radio|g|general) (?:add|modify|mod|up|down|delete|del|edit|import|clone|reload|set|connect|c|disconnect|wifi connect|wifi hotspot|reapply|on|off|hostname \S|wifi (?:on|off)|wwan (?:on|off)|all (?:on|off))\b/,
  networksetup: /^-(?:set|add|remove|create|delete|order|switch|rename|import|duplicate|connect|detect)/i,
  scutil: /^--(?:set|nc (?:start|stop|enable|disable)|prefs|dns.*set)/,
  netsh: /(?:^|\s)(?:set|add|delete|reset|import|exec)\b/i,
  resolvectl:
    /^(?:-\S+ )*(?:dns \S+ \S|domain \S+ \S|revert|default-route \S+ \S|llmnr \S+ \S|mdns \S+ \S|dnssec \S+ \S|dnsovertls \S+ \S|nta \S+ \S)/,
  'systemd-resolve': /--(?:set-|revert)/,
  hostnamectl: /^(?:-\S+ )*(?:set-\S+|hostname \S|icon-name \S|chassis \S|deployment \S|location \S)/,
  hostname: /^(?!-)\S|^(?:-F|-b|--file|--boot)/,
  ethtool: /^-(?:[sKGACLXEfNUW]\b|-(?:change|set|config|features|reset|flash))/,
  tc: /^(?:-\S+ )*(?:qdisc|class|filter|chain|action|actions) (?:add|change|replace|delete|del|link|flush)\b/,
  arp: /(?:^|\s)-(?:s|d|f)\b/,
  bridge: /^\S+ (?:add|append|replace|del|set|flush)\b/,
  brctl: /^(?:add|del|set|stp|hairpin)/,
  'ovs-vsctl': /^(?:-\S+ )*(?:add|del|set|remove|clear|destroy|create|emer-reset)/,
  iwconfig: /^\S+ \S/,
  iw: /^(?:dev|phy|reg) (?:\S+ )?(?:set|del|connect|disconnect|interface add)\b/,
  rfkill: /^(?:block|unblock|toggle)\b/,
  wg: /^(?:set|setconf|addconf|syncconf)\b/,
  'wg-quick': /^(?:up|down|save)\b/,
  openvpn: /^/,
  vpnc: /^/,
  openconnect: /^/,
  macchanger: /^(?!-s|--show)/,
  arpspoof: /^/,
  ettercap: /^/,
  bettercap: /^/,
  dnsspoof: /^/,
  mitmf: /^/,
  dhclient: /^/,
  ifplugd: /^/,
  netplan: /^(?:apply|set|try|generate)\b/,
  'update-rc.d': /network/,
  ipconfig: /^(?:set \S|\/(?:release|renew|flushdns))/i,
  wpa_cli: /(?:^|\s)(?:set|add_network|remove_network|disconnect|reconfigure)/,
  sysctl: /(?:^|\s)(?:-w )?net\.[\w.-]+ ?=/,
  airport: /-z|--disassociate/,
}

export const network: Rule = {
  name: 'network',
  category: 'network-configuration',
  why: 'A machine whose network was changed may be open to everybody, or out of reach for its owner.',
  instead: 'Look at it (`ip addr`, `ss -tln`), and leave it as it is; tests can use ports of this machine.',
  get programs() {
    return Object.keys(told).join(' ')
  },
  forbids(command) {
    return says(told, command) ? `would change the network of the machine (${command.name})` : null
  },
}
