import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'scheduled-job': {
    denied: `
      crontab -e
      crontab -r
      crontab jobs.txt
      echo '* * * * * x' | crontab -
      (crontab -l; echo '* * * * * x') | crontab -
      crontab -u root jobs.txt
      at now + 1 minute
      echo x | at 10:00
      systemctl enable app
      systemctl --user enable app.timer
      launchctl load ~/Library/LaunchAgents/x.plist
      launchctl bootstrap gui/501 x.plist
      cp x.service /etc/systemd/system/
      cp x.plist ~/Library/LaunchAgents/x.plist
      echo x > /etc/cron.d/x
      echo x > ~/.config/systemd/user/x.service
      loginctl enable-linger me
      pm2 startup
      ssh-copy-id me@host`,
    allowed: `
      crontab -l
      crontab -u me -l
      at -l
      systemctl status nginx
      systemctl --user list-timers
      launchctl list
      launchctl print system
      cat /etc/crontab
      pm2 start app.js
      cp x.service deploy/systemd/x.service
      echo x > crontab`,
  },
  'startup-file': {
    denied: `
      echo 'export PATH=$HOME/bin:$PATH' >> ~/.bashrc
      echo x >> $HOME/.zshrc
      cp evil ~/.bash_profile
      ln -sf /tmp/x ~/.zshenv
      tee -a ~/.profile
      sed -i s/a/b/ ~/.bashrc
      echo x >> /etc/profile
      echo x > /etc/profile.d/x.sh
      printf x >> ~/.gitconfig
      echo registry=http://x >> ~/.npmrc
      echo /tmp/x.so > /etc/ld.so.preload`,
    allowed: `
      cat ~/.bashrc
      grep alias ~/.zshrc
      source ~/.bashrc
      echo x >> .npmrc
      cp .bashrc.example .bashrc
      echo 'use nix' > .envrc`,
  },
  'git-global': {
    denied: `
      git config --global alias.co checkout
      git config --global http.sslVerify false
      git config --global --unset http.proxy
      git config --global url.https://x.example/.insteadOf https://github.com/
      git config --global --add url.https://x.example/.pushInsteadOf https://github.com/
      git config set --global init.templateDir x`,
    allowed: `
      git config --global user.name x
      git config --global init.defaultBranch main
      git config --global --list
      git config --global --get user.email
      git config user.email x
      git config --global user.email`,
  },
})
