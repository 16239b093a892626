import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/guard/decide.ts'
import { placeOfCall } from '../../../../src/hooks/guard/place-of-call.ts'
import { seeded } from '../../../support/hostile-text.ts'
import { scratch } from '../../../support/scratch.ts'

const files = { '.ralph-active': '{}\n', 'ralph/prd.md': 'a\n', 'src/a': 'aa\n', 'src/b c': 'x\n' }

/** Ways to name each of the guarded files; `\x70` is a p. */
const targets = [
  'ralph/prd.md',
  './ralph//prd.md',
  `'ralph/prd.md'`,
  'ralph/"prd".md',
  String.raw`ralph/p\rd.md`,
  '$PWD/ralph/prd.md',
  '"${PWD}"/ralph/prd.md',
  '$(pwd)/ralph/prd.md',
  '"`pwd`/ralph/prd.md"',
  '~+/ralph/prd.md',
  'ralph/pr?.md',
  'ralph/p*d.md',
  'ralph/[p]rd.md',
  'ral*/prd.md',
  String.raw`$'ralph/\x70rd.md'`,
  'src/../ralph/prd.md',
  '$RALPH_DIR/prd.md',
  '"$RALPH_DIR"/prd.md$NOTHING',
  '.ralph-active',
  './.ralph-active',
  '.ralph-a*',
  `.ralph''-active`,
  '"$PWD"/.ralph-active',
]

/** Ways to change a file, `P`. */
const deeds = [
  'echo x > P',
  'echo x >> P',
  'echo x >|P',
  'echo x 1>P 2>&1',
  'cat src/a &> P',
  ': > P',
  '> P',
  'echo x | tee -a P',
  'rm P',
  'rm -f -- P',
  'mv P gone',
  'mv -t src P',
  'cp src/a P',
  'truncate -s0 P',
  'dd if=src/a of=P status=none',
  'sed -i s/./b/ P',
  'perl -pi -e s/./b/ P',
  'ln -sf src/a P',
  'install src/a P',
  'chmod 600 P',
  'find . -name "${X:-prd.md}" -delete; rm P',
  'V=P; rm $V',
  'for v in P; do rm "$v"; done',
  'cd ralph; cd ..; rm P',
  'rm src/none P',
  'unlink P',
  'cp src/a other; mv other P',
]

/** What stands around a deed, `X`; `Q` is the deed in quotes, `E` a word of its own. */
const frames = [
  'X',
  'sh -c Q',
  'bash -c Q',
  'eval Q',
  '( X )',
  '{ X\n}',
  'if true; then X\nfi',
  'for i in 1; do X\ndone',
  'while true; do X\nbreak; done',
  'true && { X\n}',
  'false || { X\n}',
  'X &\nwait',
  'echo "$( X\n)"',
  'echo "a "`echo b`; X',
  'cat <<E\n$( X\n)\nE',
  `bash <<'E'\nX\nE`,
  'bash <<< Q',
  'case a in b) ;; a) X\n;; esac',
  'f() { X\n}; f',
  'cd src && cd .. && { X\n}',
  '(cd src; true); X',
  'echo a # b\nX',
  String.raw`echo 'it'\''s "'; X`,
  '! { X\n}',
  'cat <<E\nit is "data > src/a\nE\nX',
  `cat <<'E' <<-E2\n$(\nE\n\t"\n\tE2\nX`,
  'echo x | while read l; do X\ndone',
  'A=b; X',
  'echo $((1+2)) ${x:-"}"}; X',
  '[[ 1 < 2 ]] && { X\n}',
  'echo \\\n  a; X',
  'diff <(cat src/a) <( X\n)',
  "echo $'it\\'s'; X",
  'select_=1; echo "${#select_}" "$#"; X',
]

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const replaced = (text: string, name: string, value: string): string => text.replaceAll(name, () => value)

/** A command that changes a guarded file, in some frames. */
const command = fc
  .tuple(
    fc.constantFrom(...deeds),
    fc.constantFrom(...targets),
    fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 3 }),
  )
  .map(([deed, target, around]) =>
    around.reduce(
      (inner, frame, level) =>
        frame
          .replaceAll(/\bE2?\b/g, (word) => `${word}${level}`)
          .replaceAll(/\bX\b|\bQ\b/g, (word) => (word === 'X' ? inner : quote(inner))),
      replaced(deed, 'P', target),
    ),
  )

describe('a command that changes a guarded file when bash runs it', () => {
  it('is denied', () => {
    const root = scratch()
    const project = join(root, 'project')
    const env = { PATH: process.env['PATH'], HOME: root, RALPH_DIR: 'ralph', CLAUDE_PROJECT_DIR: project }
    let changed = 0
    fc.assert(
      fc.property(command, (command) => {
        lay(project)
        const place = placeOfCall({
          env,
          input: { cwd: project },
          loop: project,
          isInLoop: true,
          ralphDir: 'ralph',
          plugin: '/nowhere',
        })
        const { decision } = decide({ kind: 'shell', command }, place)
        const before = print(project)
        spawnSync('bash', ['-c', command], { cwd: project, env, timeout: 10_000, stdio: 'ignore' })
        if (print(project) === before) return
        changed++
        expect(decision).toBe('deny')
      }),
      seeded(250),
    )
    // Else it would prove nothing.
    expect(changed).toBeGreaterThan(150)
  })
})

function lay(project: string): void {
  rmSync(project, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
    chmodSync(join(project, path), 0o644)
  }
}

/** What the guarded files are. */
function print(project: string): string {
  return ['.ralph-active', 'ralph/prd.md']
    .map((path) => {
      const full = join(project, path)
      const stats = lstatSync(full, { throwIfNoEntry: false })
      if (stats === undefined) return 'gone'
      return stats.isFile() ? `${statSync(full).mode} ${readFileSync(full, 'utf8')}` : 'something else'
    })
    .join(', ')
}
