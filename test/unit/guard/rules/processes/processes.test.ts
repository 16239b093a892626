import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  shutdown: {
    denied: `
      shutdown -h now
      shutdown -r +5
      reboot
      poweroff -f
      halt
      init 0
      telinit 6
      systemctl reboot
      systemctl --force poweroff
      loginctl terminate-user me
      osascript -e 'tell app "System Events" to shut down'`,
    allowed: `
      shutdown --help
      shutdown -c
      reboot --help
      systemctl status
      echo reboot
      npm run reboot
      init --version`,
  },
  services: {
    denied: `
      systemctl stop sshd
      systemctl disable --now firewalld
      systemctl mask systemd-journald
      service ssh stop
      launchctl bootout gui/501/com.x
      launchctl unload x.plist
      rc-service nginx stop`,
    allowed: `
      systemctl status nginx
      systemctl list-units
      systemctl is-active docker
      systemctl --user stop my-app
      service nginx status
      launchctl list
      brew services list
      docker compose stop`,
  },
  kill: {
    denied: `
      kill -9 -1
      kill -1
      kill -TERM -- -1
      kill -9 1
      kill -s KILL 1
      kill $PPID
      pkill -9 node
      killall node
      killall -9 claude
      pkill -f ralph
      pkill sshd
      pkill -u root
      killall -u me
      pkill -f .
      pkill -v x
      killall5
      kill -9 $(pgrep node)
      pgrep -f claude | xargs kill
      ps aux | grep node | awk '{print $2}' | xargs kill -9
      tmux kill-server
      fuser -km /home`,
    allowed: `
      kill 12345
      kill -9 12345
      kill -TERM 4321 5432
      kill -0 123
      kill %1
      kill $(pgrep -f 'vite --port 5173')
      ps aux | grep '[v]ite' | awk '{print $2}' | xargs kill
      kill -l
      kill $(lsof -ti:3000)
      kill "$SERVER_PID"
      pkill -f "vite --port 5173"
      pkill -f 'node server.js'
      pkill -f next-server
      killall my-app
      pgrep -f node
      fuser -k 3000/tcp
      lsof -ti:3000 | xargs kill -9
      tmux kill-session -t x`,
  },
})
