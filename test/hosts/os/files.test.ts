import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { BoxSite } from '../../support/box-site.ts'
import { newOsPlace, ownedBy, runInBox, users } from './lab.ts'

/** What an agent has no business to read, in the home of the user. */
const secrets = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.config/gcloud/credentials.db',
  '.azure/token',
  '.kube/config',
  '.docker/config.json',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.gnupg/key',
  '.config/gh/hosts.yml',
  '.cargo/credentials.toml',
  '.git-credentials',
  '.bash_history',
  '.mozilla/cookies',
  '.claude/history.jsonl',
]

describe.skipIf(inject('srt') === null).each(users)('files in the OS sandbox, as %s', (user) => {
  let place: BoxSite
  beforeEach(() => {
    place = newOsPlace()
    const { home, state, given, homes } = place.site
    const plugin = join(place.root, 'plugin')
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    for (const name of secrets) write(join(home, name), 'the-secret\n')
    write(join(home, '.claude', '.credentials.json'), 'the-login\n')
    write(join(home, '.bashrc'), '# mine\n')
    write(join(state, 'project-1', 'runs', 'r', 'journal.ndjson'), 'the-secret\n')
    write(join(given, 'settings.json'), 'for-the-agent\n')
    write(join(homes, 'claude', 'x'), 'x\n')
    write(join(plugin, 'hooks', 'hook.sh'), 'the-hook\n')
    write(join(place.outside, 'file'), 'untouched\n')
    const agentDirs = [join(home, '.claude')]
    place = ownedBy(user, { ...place, site: { ...place.site, pluginDir: plugin, agentDirs } })
  })
  afterEach(() => place.remove())

  it('cannot be read where they are private: keys, logins, histories, the state of Ralph', async () => {
    const { home, state, given } = place.site
    const paths = [...secrets.map((name) => join(home, name)), join(state, 'project-1', 'runs', 'r', 'journal.ndjson')]
    const more = ['/etc/shadow', join(home, '.claude', '.credentials.json')]
    const { lines } = await runInBox(place, {
      user,
      script: `for f in ${[...paths, ...more].map((path) => `'${path}'`).join(' ')}; do cat "$f" 2>/dev/null; done; cat '${given}/settings.json'; grep -rs 'the-secre[t]' '${place.root}' /tmp; echo end`,
    })
    expect(lines).toEqual(['for-the-agent', 'end'])
  })

  it('cannot be written but in the project, in its own home and where its temporary files are', async () => {
    const { home, state, homes, given, pluginDir } = place.site
    const forbidden = [
      join(place.outside, 'new'),
      join(place.outside, 'file'),
      join(home, '.bashrc'),
      join(home, '.zshrc'),
      join(home, '.claude', 'settings.json'),
      join(state, 'project-1', 'runs', 'r', 'journal.ndjson'),
      join(given, 'settings.json'),
      join(pluginDir ?? '', 'hooks', 'hook.sh'),
      '/usr/local/ralph-canary',
      '/etc/cron.d/ralph-canary',
      join(process.cwd(), 'ralph-canary'),
    ]
    const tries = forbidden.map((path) => `{ echo planted >> '${path}'; } 2>/dev/null`)
    const allowed = ['inside', join(homes, 'claude', 'y'), '$TMPDIR/z', '/tmp/z'].map(
      (path) => `echo ok > "${path}" && echo yes`,
    )
    const { lines } = await runInBox(place, { user, script: [...tries, ...allowed].join('\n') })
    expect(lines).toEqual(['yes', 'yes', 'yes', 'yes'])
    const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)
    expect(forbidden.filter((path) => read(path)?.includes('planted') === true)).toEqual([])
    expect(readFileSync(join(homes, 'claude', 'y'), 'utf8')).toBe('ok\n')
    expect(existsSync('/tmp/z')).toBe(false)
  })

  it('cannot be reached through links out of the project, soft or hard', async () => {
    symlinkSync(place.outside, join(place.site.project, 'linked'))
    const { home, project } = place.site
    const script = `
      echo planted > linked/file; echo planted > linked/new
      ln -s '${home}' h; echo planted >> h/.bashrc; echo planted > h/.profile
      ln '${home}/.bashrc' hard && echo planted >> hard
      mv README.md '${place.outside}/README.md'; cp -r . '${place.outside}/'
      ln -sfn '${place.outside}' .git/objects/zz; echo planted > .git/objects/zz/object
      exit 0`
    await runInBox(place, { user, script })
    expect(readFileSync(join(place.outside, 'file'), 'utf8')).toBe('untouched\n')
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('# mine\n')
    for (const path of ['new', 'README.md', 'object']) expect(existsSync(join(place.outside, path))).toBe(false)
    expect(existsSync(join(home, '.profile'))).toBe(false)
    expect(existsSync(join(project, 'README.md'))).toBe(true)
  })

  it('of people stay as they are in the project where they steer agents and editors', async () => {
    const steering = ['.claude/settings.json', '.mcp.json', '.vscode/tasks.json', '.codex/config.toml']
    for (const name of steering) {
      mkdirSync(dirname(join(place.site.project, name)), { recursive: true })
      writeFileSync(join(place.site.project, name), '{}\n')
    }
    ownedBy(user, place)
    const tries = steering.map(
      (name) => `echo planted > ${name}; rm -rf ${dirname(name) === '.' ? name : dirname(name)}; mv ${name} x`,
    )
    const { lines } = await runInBox(place, {
      user,
      script: `{ ${tries.join('; ')}; } 2>/dev/null; mkdir -p .claude/rules && echo ok > .claude/rules/a.md && echo legal`,
    })
    expect(lines).toEqual(['legal'])
    for (const name of steering) expect(readFileSync(join(place.site.project, name), 'utf8')).toBe('{}\n')
  })

  it('are no way to the kernel, also not through another namespace', async () => {
    const open = `f() { { : >> /proc/sys/kernel/core_pattern; } 2>/dev/null && echo "$1"; }; f direct`
    const nested = ['-Ur', '-Urm', '-U --map-user=1000', '-Um --map-user=1000', '-Umpf --map-user=1000 --mount-proc']
    const tries = nested.map(
      (
        how,
      ) => `unshare ${how} bash -c 'umount /proc/sys; mount -o remount,rw /proc/sys; mkdir -p /tmp/p; mount -t proc proc /tmp/p;
        { : >> /proc/sys/kernel/core_pattern || : >> /tmp/p/sys/kernel/core_pattern; } && echo "${how}"'`,
    )
    const script = [open, 'umount -l /proc', 'f after', ...tries, 'exit 0'].join('\n')
    const { lines } = await runInBox(place, {
      user,
      script: `{ ${script.replace('exit 0', 'true')}; } 2>/dev/null; echo end`,
    })
    expect(lines).toEqual(['end'])
  })

  it('of the runner cannot be had through /proc: not its environment, not its open files', async () => {
    appendFileSync(join(place.outside, 'file'), '')
    const script = `
      for e in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $e; done 2>/dev/null | grep 'runner-secre[t]'
      ls -l /proc/[0-9]*/fd 2>/dev/null | grep -E 'journal|outside'
      for p in /proc/[0-9]*; do cat $p/root${place.outside}/file; done 2>/dev/null
      cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c 'os-bo[x]'
      echo end`
    const { lines } = await runInBox(place, { user, script, env: { RUNNER_KEY: 'runner-secret' } })
    // The file itself may be read by its own name; by way of another process it is the same box.
    expect(lines.filter((line) => line !== 'untouched')).toEqual(['0', 'end'])
  })
})
