import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'open-to-all': {
    denied: `
      chmod 777 deploy.sh
      chmod -R 777 .
      chmod 0666 config.json
      chmod a+rwx src
      chmod -R o+w public
      chmod ugo=rwx x
      umask 000`,
    allowed: `
      chmod +x scripts/run.sh
      chmod 755 bin/tool
      chmod -R u+rwX,go-w src
      chmod 644 README.md
      chmod 1777 /tmp/shared
      chmod 777 /tmp/socket
      chmod +w src/main.ts
      umask 022`,
  },
  'lock-out': {
    denied: `
      chmod -R 000 .
      chmod -R 0 ./
      chmod -R a-rwx .
      chmod -R u-r $PWD
      chattr +i src/main.ts
      chattr -R +a logs
      chflags uchg src/main.ts`,
    allowed: `
      chmod 000 test/fixtures/unreadable
      chmod -R 000 test/fixtures/locked
      chmod -w src/main.ts
      chmod -R go-rwx .
      lsattr src
      chflags hidden x`,
  },
  'foreign-rights': {
    denied: `
      chown nobody .
      chown -R root:root .
      chmod -R 755 /home
      chmod 700 /
      chown -R me:me ~
      chown -R me ~/work
      chgrp -R staff /srv/x
      setfacl -m u:www:rwx /
      setfacl -m g:dev:rw /tmp`,
    allowed: `
      chown 1000:1000 .
      chown -R me:me .
      chown me dist
      chmod +x ~/work/run.sh
      setfacl -m u:www:rx public
      chown --help
      getfacl /etc`,
  },
})
