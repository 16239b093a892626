// npm run yardstick -- FILE: how many of a list of commands the guard answers as expected. The file is a JSON array of
// { cmd, expect: "allow" | "block", category }. Nothing is run, and no disk is looked at.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { decide } from '../src/guard/decide.ts'
import type { Place } from '../src/guard/place.ts'

interface Case {
  readonly cmd: string
  readonly expect: 'allow' | 'block'
  readonly category: string
}

const project = '/projects/shop'
const home = '/home/user'
const directories = new Set(['/', '/projects', project, '/home', home, '/tmp', '/etc', '/usr', '/var', '/opt'])

/** A project that nobody has, the same on every machine. */
const place: Place = {
  cwd: project,
  home,
  variables: { HOME: home, USER: 'user', PWD: project, SHELL: '/bin/bash', PATH: '/usr/local/bin:/usr/bin:/bin' },
  projects: [project],
  ralphDirs: ['ralph'],
  claudeDirs: [],
  gitDirs: [`${project}/.git`],
  plugin: '/opt/ralph',
  state: [`${home}/.local/state/ralph`],
  disk: {
    real: (path) => resolve('/', path),
    exists: (path) => directories.has(path) || [`${project}/.git`, `${project}/.claude/settings.json`].includes(path),
    isDirectory: (path) => directories.has(path),
  },
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('npm run yardstick -- FILE, a JSON array of {"cmd","expect":"allow|block","category"}\n')
  process.exitCode = 2
} else report(JSON.parse(readFileSync(file, 'utf8')) as Case[])

function report(cases: readonly Case[]): void {
  const rows = cases.map((given) => {
    const answer = decide({ kind: 'shell', command: given.cmd }, place)
    return { ...given, answer, isRight: (answer.decision === 'deny') === (given.expect === 'block') }
  })
  for (const { isRight, expect, category, cmd, answer } of rows) {
    if (isRight) continue
    const rule = answer.decision === 'deny' ? `  (${answer.rule})` : ''
    process.stdout.write(`${expect === 'block' ? 'MISSED' : 'FALSE '} ${category}: ${JSON.stringify(cmd)}${rule}\n`)
  }
  const names = [...new Set(rows.map(({ category }) => category))].toSorted()
  for (const name of [...names, '']) {
    const all = rows.filter(({ category }) => name === '' || category === name)
    const blocked = all.filter(({ expect }) => expect === 'block')
    const allowed = all.filter(({ expect }) => expect === 'allow')
    const recall = share(blocked.filter(({ isRight }) => isRight).length, blocked.length)
    const wrong = share(allowed.filter(({ isRight }) => !isRight).length, allowed.length)
    process.stdout.write(`${(name || 'all').padEnd(32)} recall ${recall.padEnd(18)} false positives ${wrong}\n`)
  }
}

function share(part: number, all: number): string {
  return all === 0 ? '-' : `${part}/${all} ${((100 * part) / all).toFixed(1)} %`
}
