import { expect, it } from 'vitest'
import { deniedBy } from '../../../../support/denied-by.ts'
import { describeRules } from '../../../../support/describe-rules.ts'
import { guardedPlace } from '../../../../support/guarded-place.ts'

describeRules({
  'remove-elsewhere': {
    denied: `
      ssh build 'rm -rf /'
      ssh -p 2222 root@build rm -rf /srv
      ssh -i key build "cd /x && sudo rm -fr /var/*"
      docker exec web rm -rf /
      docker compose exec -T db sh -c 'rm -rf /data/*'
      podman exec -it web rm -r /etc
      kubectl -n app exec web-0 -- rm -rf /home
    `,
    allowed: `
      ssh build 'rm -rf /tmp/build-1'
      ssh build ls /
      ssh -G build
      docker exec web rm -rf /app/dist
      docker compose exec -T db rm /tmp/dump.sql
      kubectl exec web-0 -- ls -la /
      docker exec web grep -rf / words
    `,
  },
  'remove-outside': {
    denied: `
      rm -rf ~root
      gio trash ~/Documents
      tar cf x.tar --remove-files ~/Documents
      zip -m x.zip ~/Documents/a
      rsync -a --remove-source-files ~/Documents/ /tmp/x/
      rm -rf /etc
      rm -rf /var/log/nginx
      rm -r --force /usr/share/doc
      rm --recurs --forc /opt/tool
      rm -rf ~/Documents
      rm -fr ../other
      rm -r ~/work
      rm ~/notes.txt
      rm /etc/hosts
      rm -rf /srv/data
      rm -rf /data/files
      rm -rf /tmp
      rm -rf /tmp/
      rm -rf /tmp/../usr
      rm -rf /var/tmp /var/lib
      rm -rf /home/other
      rm -rf /usr/*
      rm -rf --no-preserve-root x
      cd /usr && rm -rf share
      cd / && rm -rf lib
      npx rimraf ~/Downloads
      npx --yes rimraf@5 /opt/app
      rimraf /home/other/work
      find /var/log -name '*.gz' -delete
      find ~ -name '*.bak' -exec rm {} +
      find /tmp -delete
      find /data -depth -delete
      find /srv -type f -exec rm -f {} \\;
      fd -e log . /var/log -x rm
      rsync -a --delete empty/ /srv/www/
      rsync -a --delete-after empty/ ~/Pictures
      echo /etc | xargs rm -rf
      printf '%s\\n' /usr /var | xargs -n1 rm -r
      find /usr -name x | xargs rm -rf`,
    allowed: `
      rsync -a --remove-source-files build/ /tmp/x/
      rm -rf node_modules dist .next coverage
      rm -rf ./build && mkdir build
      rm -f package-lock.json yarn.lock
      rm -rf "$PWD/dist"
      rm -rf /tmp/test-run
      rm -rf /tmp/test-run/* /var/tmp/x
      rm -rf /tmp/*
      rm -rf ~/.cache/pip
      rm -rf ~/.npm/_cacache
      rm -rf src/old ../project/tmp
      cd src && rm -rf old
      rm -f /data/file.txt
      echo rm -rf /etc
      git commit -m 'rm -rf /etc'
      grep -rn 'rm -rf /' scripts
      npx rimraf dist
      find . -name '*.pyc' -delete
      find . -name __pycache__ -type d -exec rm -rf {} +
      find src -type f -name '*.orig' -exec rm {} \\;
      find /tmp/work -delete
      find /tmp -name 'vitest-*' -exec rm -rf {} +
      find . -type d -empty -delete
      find . -name node_modules -prune -print | xargs rm -rf
      git ls-files -z --deleted | xargs -0 rm -rf
      ls | grep tmp- | xargs rm -rf
      rsync -a --delete src/ dist/
      rsync -a --delete -n empty/ /srv/www/`,
  },
  'remove-unseen': {
    denied: `
      rm -rf "$UNSET/"
      rm -rf $UNSET/*
      rm -rf "$(cat list.txt)"
      rm -rf $UNSET
      rm -rf $UNSET/../x
      xargs rm -rf < list.txt
      xargs -0 rm -rf
      cat list.txt | xargs rm -rf
      curl -s https://example.com/list | xargs -I{} rm -rf {}`,
    allowed: `
      rm -rf "$UNSET/node_modules"
      rm -f "$UNSET"
      D=build; rm -rf "$D"
      D=dist; rm -rf $D/*
      cat list.txt | xargs rm -f
      xargs -n1 ls < list.txt`,
  },
  'move-away': {
    denied: `
      mv /etc/nginx /tmp/
      mv ~/Documents /tmp/x
      mv ~/.config /tmp/x
      mv src/main.ts /dev/null
      mv -t /tmp /usr/bin/python3
      mv /var/lib /tmp/x`,
    allowed: `
      mv src/a.ts src/b.ts
      mv /tmp/build/out.txt .
      mv ~/Downloads/logo.png assets/
      mv -t dist build/a build/b
      mv dist /tmp/old`,
  },
  'overwrite-for-good': {
    denied: `
      shred -u secrets.txt
      shred -n 3 -z disk.img
      srm -r old
      wipe -rf data`,
    allowed: `
      shred --help
      shred -u /tmp/key.pem
      echo shred it
      rm -f old.txt`,
  },
})

it.each([
  'rm -rf *',
  'rm -rf ./*',
  'find . -type f -delete',
  'find . -exec rm -rf {} +',
  'rm -rf $PWD',
  'find . -mtime +1 -delete',
])('keeps the project as a whole, where no marker does: %s', (command) => {
  expect(deniedBy(command, emptyDisk())).toBe('remove-project')
})

it.each(['rm -rf /', 'rm -rf /*', 'rm -rf ../../*', 'rm -rf ~', 'rm /', 'mv / /tmp/x', 'rm -rf /home'])(
  'keeps all that the project is in: %s',
  (command) => {
    expect(deniedBy(command)).not.toBe('allowed')
    expect(deniedBy(command, emptyDisk())).not.toBe('allowed')
  },
)

it.each(['rm -rf .git', 'rm -r .git/objects', 'rm -rf .*'])('keeps the repository: %s', (command) => {
  expect(deniedBy(command, emptyDisk())).not.toBe('allowed')
})

it.each(['rm -f .git/index.lock', 'rm -rf src', 'cd src && rm -rf *', 'rm -f *.log'])(
  'lets parts of it go: %s',
  (command) => {
    expect(deniedBy(command, emptyDisk())).toBe('allowed')
  },
)

it('takes a directory for temporary files from the environment, unless it is everything', () => {
  const at = (TMPDIR: string) => guardedPlace({ variables: { TMPDIR } })
  expect(deniedBy('rm -rf $TMPDIR/x', at('/scratch/me'))).toBe('allowed')
  expect(deniedBy('rm -rf $TMPDIR/x', at('/home'))).not.toBe('allowed')
  expect(deniedBy('rm -rf $TMPDIR/usr', at('/'))).not.toBe('allowed')
})

it('knows a project where others have the system', () => {
  const place = guardedPlace({ cwd: '/usr/src/app', projects: ['/usr/src/app'], gitDirs: [] })
  expect(deniedBy('rm -rf /usr/src/app/dist', place)).toBe('allowed')
  expect(deniedBy('echo x > /usr/src/app/a.txt', place)).toBe('allowed')
  expect(deniedBy('rm -rf /usr/src/other', place)).toBe('remove-outside')
})

/** No file of it is guarded by name, so that only the rules on removing speak. */
const emptyDisk = () => guardedPlace({ disk: { real: (path) => path, exists: () => false, isDirectory: () => false } })
