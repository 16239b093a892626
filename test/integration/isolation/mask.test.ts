import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Site } from '../../../src/isolation/isolation.ts'
import { directBox, maskOf } from '../../../src/isolation/none.ts'
import type { Containment } from '../../../src/process/containment.ts'
import { findProgram } from '../../../src/process/find-program.ts'
import { probeContainment, probeNesting } from '../../../src/process/probe-containment.ts'
import { newBoxSite, type BoxSite } from '../../support/box-site.ts'
import { masked, needsMask, newRunId, noNamespace, testEnv } from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'

const places = { path: testEnv.PATH, forbiddenRoot: null }
const perl = findProgram('perl', places)
const isRoot = process.getuid?.() === 0
/** Nobody whom this machine knows. */
const stranger = 61_234

let box: BoxSite
let site: Site
let journal: string
let plugin: string
beforeEach(() => {
  box = newBoxSite()
  plugin = join(box.root, 'plugin')
  site = { ...box.site, pluginDir: plugin }
  mkdirSync(join(plugin, 'hooks'), { recursive: true })
  writeFileSync(join(plugin, 'hooks', 'hooks.json'), 'ours')
  journal = join(dirname(dirname(site.given)), 'journal.ndjson')
  writeFileSync(journal, 'the journal\n')
  writeFileSync(join(site.given, 'settings.json'), 'given')
})
afterEach(() => box.remove())

type Who = 'root' | 'a user'

async function containmentFor(who: Who): Promise<Containment> {
  if (who === 'root' || !isRoot) return probeContainment(places, maskOf(site))
  execFileSync('chown', ['-R', `${stranger}:${stranger}`, box.root])
  const setpriv = value(findProgram('setpriv', places))
  const become = [setpriv, '--reuid', String(stranger), '--regid', String(stranger), '--clear-groups', '--']
  const { wrapper } = (await probeContainment(places, maskOf(site))) as Extract<Containment, { level: 'mask' }>
  const own = wrapper.filter((word, at) => word !== '--cap-add' && wrapper[at - 1] !== '--cap-add')
  return { level: 'mask', wrapper: [...become, ...own], reason: 'as a user' }
}

async function run(script: string, containment: Containment): Promise<string> {
  let text = ''
  const end = value(
    await directBox({ containment }).exec({
      argv: ['/bin/sh', '-c', `${script}\n:`],
      cwd: site.project,
      env: { ...testEnv, STATE: site.state, JOURNAL: journal, GIVEN: site.given, HOMES: site.homes, PLUGIN: plugin },
      runId: newRunId(),
      onLine: (line) => void (text += `${line.bytes.toString()}\n`),
    }),
  )
  expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
  return text
}

/** What only the runner has, found through the system's table of processes. */
const foreign = Object.entries(process.env).find(
  ([name, text]) =>
    name !== 'PATH' &&
    text !== '' &&
    readFileSync('/proc/self/environ', 'utf8')
      .split('\0')
      .includes(`${name}=${text ?? ''}`),
)
const readEnvironments = `cat /proc/$PPID/environ /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep '^${foreign?.[0] ?? 'none'}='`
const writeOpenFiles =
  'for file in /proc/$PPID/fd/* /proc/[0-9]*/fd/*; do [ "$(readlink "$file")" = "$JOURNAL" ] && echo forged >> "$file"; done 2>/dev/null'

describe('without a mask', () => {
  it('an agent reads what the runner was started with, and writes what it has open', async () => {
    const file = openSync(journal, 'a')
    try {
      expect(await run(readEnvironments, noNamespace)).toContain(foreign?.[1])
      await run(writeOpenFiles, noNamespace)
      expect(readFileSync(journal, 'utf8')).toContain('forged')
    } finally {
      closeSync(file)
    }
  })
})

const everybody: Who[] = isRoot ? ['root', 'a user'] : ['a user']

describe.runIf(masked.level === 'mask').each(everybody)(`the mask around what %s runs ${needsMask}`, (who) => {
  let containment: Containment
  beforeEach(async () => {
    containment = await containmentFor(who)
  })
  const masks = (script: string): Promise<string> => run(script, containment)
  const untouched = (): void => {
    expect(readFileSync(journal, 'utf8')).toBe('the journal\n')
    expect(readdirSync(join(plugin, 'hooks'))).toEqual(['hooks.json'])
    expect(readFileSync(join(plugin, 'hooks', 'hooks.json'), 'utf8')).toBe('ours')
    expect(readdirSync(site.given)).toEqual(['settings.json'])
  }

  it('proc-ppid-environ: shows no process of ours', async () => {
    expect(await masks(readEnvironments)).toBe('')
    expect(await masks('ls /proc | grep -c "^[0-9]"')).toMatch(/^[1-9]\n$/)
  })

  it('proc-ppid-fd-journal: shows no open file of ours', async () => {
    const file = openSync(journal, 'a')
    try {
      await masks(writeOpenFiles)
    } finally {
      closeSync(file)
    }
    untouched()
  })

  it('state-dir-write: has nothing in the place of the state, and lets nobody write there', async () => {
    const script =
      'cat "$JOURNAL"; find "$STATE" -type f; echo forged > "$JOURNAL"; echo forged > "$STATE/made" && echo written; rm -rf "$STATE"/*; mv "$STATE" "$STATE-2"'
    expect(await masks(`(${script}) 2>/dev/null`)).toBe(`${site.given}/settings.json\n`)
    expect(existsSync(`${site.state}-2`)).toBe(false)
    untouched()
  })

  it('gives what the runner has given to be read, and its own home to be written', async () => {
    const script = 'cat "$GIVEN/settings.json"; echo x > "$GIVEN/settings.json"; echo x > "$GIVEN/more"; rm "$GIVEN"/*'
    expect(await masks(`(${script}) 2>/dev/null; echo mine > "$HOMES/file"`)).toBe('given\n')
    expect(readFileSync(join(site.homes, 'file'), 'utf8')).toBe('mine\n')
    untouched()
  })

  it('plugin-dir-write: lets nobody change what Ralph is', async () => {
    const script = [
      'cat "$PLUGIN/hooks/hooks.json"',
      'echo theirs > "$PLUGIN/hooks/hooks.json"',
      'echo theirs > "$PLUGIN/hooks/more"',
      'rm -rf "$PLUGIN/hooks"',
      'mv "$PLUGIN/hooks" "$PLUGIN/h"',
      'mv "$PLUGIN" "$PLUGIN-2"',
      'chmod 777 "$PLUGIN"',
    ]
    expect(await masks(`(${script.join('; ')}) 2>/dev/null`)).toBe('ours\n')
    untouched()
  })

  it('mask-umount-as-root: stays, whatever is tried to get it off', async () => {
    const ways = [
      'umount "$STATE"; umount -l "$STATE"; umount -l "$PLUGIN"; umount -l /proc',
      'mount -o remount,rw,bind "$PLUGIN"; mount --move "$STATE" /mnt; mount --bind "$STATE/.." /mnt; mount -t tmpfs x /mnt',
      'nsenter -t 1 -m cat "$JOURNAL"; cat "/proc/1/root/$JOURNAL"; chroot /proc/1/root cat "$JOURNAL"',
      'mknod "$HOMES/disk" b 8 0',
    ]
    const looks =
      'cat "$JOURNAL"; cat /mnt/state/*/journal.ndjson; cat "/mnt/$JOURNAL"; echo theirs > "$PLUGIN/hooks/hooks.json"'
    const again = [
      ...ways,
      'mount --rbind "$STATE/.." /mnt; umount -l /mnt/state',
      looks,
      'mount --rbind / /mnt',
      looks,
    ]
    const nested = ['unshare -m', 'unshare -Um', 'unshare -Urm', 'unshare -Urmpf']
    const asAnother = nested.map((how) => `setpriv --reuid 61233 --regid 61233 --clear-groups ${how}`)
    const script = again.join('\n')
    const all = [script, ...[...nested, ...asAnother].map((how) => `${how} sh -c '${script}'`)].join('\n')
    expect(await masks(`(${all}) 2>/dev/null`)).toBe('')
    expect(existsSync(join(site.homes, 'disk'))).toBe(false)
    untouched()
  })

  it.runIf(process.arch === 'x64' && perl.ok)(
    'opens nothing that is hidden by its handle (needs perl, x64)',
    async () => {
      const handle = execFileSync('perl', ['-e', nameToHandle, journal], { encoding: 'utf8' })
      const open = `perl -e '${openByHandle}' ${handle}`
      // Root can without the mask.
      if (isRoot) expect(await run(`${open} "$STATE/.."`, noNamespace)).toBe('the journal\n')
      expect(await masks(`${open} "$STATE/.."; unshare -Urm ${open} "$STATE/.."`)).toBe('')
    },
  )

  it('keeps everything else as it is', async () => {
    const script =
      'id -u; pwd; echo y > made; git add made; git -c user.name=a -c user.email=a@b commit -qm x; git log --format=%s; echo z > /dev/null; cat /dev/null; echo "$HOME$A"'
    const [uid, cwd, ...rest] = (await masks(script)).split('\n')
    expect(uid).toBe(String(who === 'root' || !isRoot ? process.getuid?.() : stranger))
    expect([cwd, ...rest]).toEqual([site.project, 'x', 'first', '', ''])
    expect(lstatSync(join(site.project, 'made')).isFile()).toBe(true)
  })

  it('lets programs make sandboxes of their own', async () => {
    expect(await masks('bwrap --unshare-user --dev-bind / / echo inside')).toBe('inside\n')
  })
})

describe.runIf(masked.level === 'mask' && isRoot)(`the mask around root ${needsMask}`, () => {
  it('works on a project that is of somebody else', async () => {
    execFileSync('chown', ['-R', `${stranger}:${stranger}`, site.project])
    const containment = await containmentFor('root')
    expect(await run('echo a > README.md; mkdir new; chown 61233 new; stat -c %u new README.md', containment)).toBe(
      `61233\n${stranger}\n`,
    )
  })

  it('lets it become another user', async () => {
    const script = 'setpriv --reuid 61233 --regid 61233 --clear-groups id -u'
    expect(await run(script, await containmentFor('root'))).toBe('61233\n')
  })
})

describe.runIf(masked.level === 'mask')(`a mask over places that lie in each other ${needsMask}`, () => {
  it('leaves a project and its history writable that lie in the directory of the plugin', async () => {
    site = { ...site, pluginDir: box.root }
    const containment = await probeContainment(places, maskOf(site))
    const script = 'echo a > made; echo b > .git/made; echo c > ../outside/made; echo d > "$HOMES/made"; cat "$JOURNAL"'
    expect(await run(`(${script}) 2>/dev/null`, containment)).toBe('')
    const made = [join(site.project, 'made'), join(site.project, '.git/made'), join(site.homes, 'made')]
    expect(made.map((path) => existsSync(path))).toEqual([true, true, true])
    expect(existsSync(join(box.outside, 'made'))).toBe(false)
  })

  it('is known to let programs make sandboxes of their own, or why it does not', async () => {
    const containment = (await probeContainment(places, maskOf(site))) as Extract<Containment, { level: 'mask' }>
    expect(await probeNesting(containment, maskOf(site))).toBe(null)
    // As bubblewrap is where AppArmor restricts it.
    const [bwrap = '', ...rest] = containment.wrapper
    const wrapper = [bwrap, ...rest.slice(0, rest.indexOf('--')), '--disable-userns', ...rest.slice(rest.indexOf('--'))]
    const restricted = { ...containment, wrapper: [bwrap, '--unshare-user', ...wrapper.slice(1)] }
    expect(await probeNesting(restricted, maskOf(site))).not.toBe(null)
  })

  it('lets nobody put another directory in the place of one above the state', async () => {
    const state = join(site.home, '.local/state/ralph')
    mkdirSync(state, { recursive: true })
    site = { ...site, state, given: join(state, 'given'), homes: join(state, 'homes') }
    journal = join(state, 'journal.ndjson')
    writeFileSync(journal, 'the journal\n')
    const containment = await probeContainment(places, maskOf(site))
    const script = 'cd "$STATE/../../.."; mv .local x; mv .local/state x; rm -rf .local; echo mine > .local/state/mine'
    expect(await run(`(${script}) 2>/dev/null`, containment)).toBe('')
    expect(readFileSync(journal, 'utf8')).toBe('the journal\n')
    expect(readFileSync(join(site.home, '.local/state/mine'), 'utf8')).toBe('mine\n')
  })

  it('is tried without making anything', async () => {
    const hidden = join(box.root, 'no', 'state')
    expect((await probeContainment(places, { hidden, readOnly: [], writable: [], pinned: [] })).level).toBe('mask')
    expect(existsSync(dirname(hidden))).toBe(false)
  })
})

describe('where bubblewrap does not work', () => {
  it.each([
    ['only pretends', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"', 'no mask: the trial ended with 0'],
    ['is refused', 'echo "bwrap: no permissions" >&2; exit 1', 'no mask: bwrap: no permissions'],
  ])('it is as without it: %s', async (_, script, noMask) => {
    writeFileSync(join(box.outside, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const path = `${box.outside}:${testEnv.PATH}`
    const containment = await probeContainment({ path, forbiddenRoot: null }, maskOf(site))
    const plain = await probeContainment(places)
    expect(containment).toEqual(plain.level === 'namespace' ? { ...plain, noMask } : plain)
  })

  it('none is taken out of the project', async () => {
    writeFileSync(join(site.project, 'bwrap'), '#!/bin/sh\necho "2 2"\n', { mode: 0o755 })
    const containment = await probeContainment(
      { ...site.places, path: `${site.project}:${testEnv.PATH}` },
      maskOf(site),
    )
    expect(JSON.stringify(containment)).not.toContain(join(site.project, 'bwrap'))
  })
})

const nameToHandle =
  'my $h=pack("Ii",128,0).("\\0"x128); my $m=pack("i",0); syscall(303,-100,$ARGV[0],$h,$m,0)<0 and die $!; my($n)=unpack("I",$h); print unpack("H*",substr($h,0,8+$n))'
const openByHandle =
  'my $h=pack("H*",$ARGV[0]); opendir(my $d,$ARGV[1]); my $r=syscall(304,fileno($d),$h,0); if($r>=0){open(my $x,"<&=",$r); print <$x>}'
