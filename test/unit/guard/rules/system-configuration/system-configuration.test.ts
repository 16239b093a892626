import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'system-settings': {
    denied: `
      xattr -d com.apple.quarantine /Applications/X.app
      sysctl -w vm.swappiness=10
      sysctl kernel.randomize_va_space=0
      modprobe nbd
      rmmod kvm
      insmod ./x.ko
      timedatectl set-timezone UTC
      date -s '2020-01-01'
      update-alternatives --set editor /usr/bin/vim
      setenforce 0
      defaults write com.apple.dock autohide -bool true
      spctl --master-disable
      tmutil delete /x
      gsettings set org.gnome.desktop.interface clock-format 24h
      update-ca-certificates
      security add-trusted-cert -d cert.pem
      journalctl --vacuum-time=1s
      dmesg -C
      history -c`,
    allowed: `
      xattr -d com.apple.quarantine ./tool
      sysctl -a
      sysctl vm.swappiness
      sysctl -n kernel.osrelease
      modprobe --show-depends nbd
      lsmod
      timedatectl
      date
      date +%s
      date -d yesterday
      update-alternatives --list editor
      getenforce
      defaults read
      spctl --assess x.app
      tmutil listbackups
      journalctl -u nginx -n 50
      dmesg -x
      history | tail`,
  },
  'system-packages': {
    denied: `
      apt-get remove -y python3
      apt purge nginx
      apt-get autoremove
      dpkg -r libc6
      rpm -e glibc
      dnf remove systemd
      pacman -Rns base
      apk del busybox
      brew uninstall node
      snap remove code`,
    allowed: `
      apt-get install -y jq
      apt list --installed
      apt-get update
      apt-get remove -s python3
      dpkg -l
      dpkg -i x.deb
      rpm -qa
      brew install jq
      brew list
      pacman -Q
      npm uninstall lodash
      pip uninstall -y requests`,
  },
})
