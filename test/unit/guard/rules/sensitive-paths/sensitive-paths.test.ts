import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'system-path': {
    denied: `
      echo '127.0.0.1 x' >> /etc/hosts
      cp tool /usr/local/bin/
      cp tool /usr/local/bin/tool
      tee /etc/nginx/nginx.conf < nginx.conf
      sed -i s/a/b/ /etc/ssh/sshd_config
      touch /var/lib/x
      mkdir -p /etc/x /usr/share/x
      curl -o /usr/bin/tool https://example.com/tool
      tar -C /usr/local -xzf go.tar.gz
      ln -s /tmp/tool /usr/local/bin/tool
      echo 1 > /proc/sys/net/ipv4/ip_forward
      echo b > /proc/sysrq-trigger
      truncate -s 0 /var/log/syslog
      install -m 755 tool /usr/sbin/tool
      echo x > /home/other/x
      unzip -d / x.zip
      echo x > /System/Library/x
      dd if=x of=/boot/vmlinuz`,
    allowed: `
      cat /etc/hosts
      cp /etc/hosts hosts.txt
      ln -s /usr/bin/python3 bin/python
      tail -f /var/log/syslog
      echo x > /tmp/x
      echo x > /var/tmp/x
      tar -C /tmp -xzf go.tar.gz
      ls -la /usr/local/bin
      echo x > ~/notes.txt
      echo '/etc/hosts' > list.txt`,
  },
})
