import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'as-root': {
    denied: `
      sudo -i
      sudo su -
      sudo bash
      sudo -s
      echo pw | sudo -S id
      sudo make install
      sudo cp tool /tmp/x
      sudo -u postgres psql
      sudo tee x
      sudo env A=b npm install -g x
      doas sh
      pkexec /bin/sh
      su
      su - root -c id
      sudo visudo
      visudo
      find src -exec sudo touch {} ';'
      osascript -e 'do shell script "id" with administrator privileges'
      sudo apt install ./local.deb https://example.com/x.deb
      runuser -u www-data -- sh`,
    allowed: `
      sudo git status
      sudo env A=b git status
      sudo apt-get update
      sudo apt-get install -y jq
      sudo docker compose up -d
      sudo systemctl status nginx
      sudo ls /var/lib/docker
      sudo --version
      sg run -p 'console.log($A)' -l ts
      echo sudo rm
      git commit -m 'use sudo -i'`,
  },
  'lend-rights': {
    denied: `
      chmod u+s tool
      chmod 4755 tool
      chmod g+s tool
      install -m 4755 tool /tmp/tool
      setcap cap_net_bind_service=+ep ./server
      find / -perm -4000 -type f
      find / -perm -u=s
      python3 -c 'import os; os.setuid(0); os.system("id")'`,
    allowed: `
      chmod 0755 tool
      chmod u+x tool
      chmod g+s shared/
      getcap ./server
      find . -perm -u+x -type f
      find / -name '*.conf' -perm 644`,
  },
  accounts: {
    denied: `
      useradd -m eve
      usermod -aG docker me
      passwd root
      echo root:x | chpasswd
      gpasswd -a me docker
      dscl . -create /Users/eve
      deluser me
      chsh -s /bin/zsh`,
    allowed: `
      id me
      groups
      passwd -S
      useradd --help
      dscl . -read /Users/me
      getent passwd`,
  },
})
