import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../../base/result.ts'
import { visibleLine } from '../../base/visible.ts'
import type { Failure } from '../../model/failure.ts'
import type { Box, Opening, Site, Unavailable } from '../isolation.ts'
import type { Runtime } from './find-runtime.ts'
import { word } from './inner-command.ts'

/** Each line is something that must not work, by its name; nothing of it does harm if it does. */
const holes = (root: string, { helpers, tools }: Runtime): readonly (readonly [hole: string, script: string])[] => [
  ['it can read the state', `read -r line < ${word(join(root, 'state', 'secret'))}`],
  ['it can change the git configuration', ': >> .git/config'],
  ['it can move .git away', 'mv .git elsewhere'],
  ...(tools.root === null ? [] : [['it can change the kernel', ': >> /proc/sys/kernel/core_pattern'] as const]),
  ...(helpers.socat === null
    ? []
    : [
        [
          'it can reach the sockets of this machine',
          `${word(helpers.socat)} -u OPEN:/dev/null UNIX-CONNECT:/nowhere 2>&1 | grep -qv 'Operation not permitted'`,
        ] as const,
      ]),
]

/** Runs a command in a box around a directory that is made for it: null if it works and holds. */
export async function tryBox(
  open: (site: Site, opening: Opening) => Promise<Result<Box, Failure>>,
  site: Site,
  runtime: Runtime,
): Promise<Unavailable | null> {
  removeOldTrials('/tmp')
  const root = realpathSync(mkdtempSync(`/tmp/${trialName}`))
  try {
    const project = join(root, 'project')
    const given = join(root, 'state', 'given')
    const homes = join(root, 'state', 'homes')
    for (const path of [join(project, '.git', 'objects', 'info'), given, homes]) mkdirSync(path, { recursive: true })
    writeFileSync(join(project, '.git', 'config'), '')
    writeFileSync(join(root, 'state', 'secret'), 'secret\n')
    const trial = { ...site, project, gitDirs: [join(project, '.git')], state: join(root, 'state'), given, homes }
    const opened = await open(trial, {
      runId: trialId,
      agents: ['custom'],
      hosts: [],
      readable: [],
      remark: () => undefined,
    })
    if (!opened.ok) return { why: sentenceOf(opened.error), fix: whatHelps }
    try {
      return await tryCommands(opened.value, project, { root, runtime })
    } finally {
      await opened.value.dispose()
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const trialName = 'ralph-trial-'
/** It takes seconds. */
const trialMs = 10 * 60_000

/** What a runner that was killed in its trial has left there. */
export function removeOldTrials(directory: string, now = Date.now()): void {
  for (const name of readdirSync(directory).filter((entry) => entry.startsWith(trialName))) {
    const path = join(directory, name)
    const seen = lstatSync(path, { throwIfNoEntry: false })
    if (seen === undefined || seen.uid !== process.getuid?.() || now - seen.mtimeMs < trialMs) continue
    rmSync(path, { recursive: true, force: true })
  }
}

/** No run has it. */
const trialId = 'trial'

async function tryCommands(
  box: Box,
  project: string,
  { root, runtime }: { readonly root: string; readonly runtime: Runtime },
): Promise<Unavailable | null> {
  const outside = join(root, 'outside')
  // What counts is whether it is there afterwards: the box has a /tmp of its own.
  const leave = `{ : > ${word(outside)}; } 2>/dev/null`
  const tries = holes(root, runtime).map(([hole, script]) => `{ ${script}; } 2>/dev/null && echo ${word(hole)}`)
  const lines: string[] = []
  const ended = await box.exec({
    argv: [runtime.tools.bash, '--norc', '-c', [': > inside && echo confined', leave, ...tries, 'exit 0'].join('\n')],
    cwd: project,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    runId: trialId,
    timeoutMs: 20_000,
    onLine: ({ bytes }) => void lines.push(bytes.toString()),
  })
  if (!ended.ok) return { why: sentenceOf(ended.error), fix: whatHelps }
  const [first, found] = lines
  const hole = existsSync(outside) ? 'it can write outside of the project' : found
  if (hole !== undefined) return { why: `The OS sandbox does not hold here: ${visibleLine(hole)}.`, fix: whatHelps }
  if (first === 'confined') return null
  const said = ended.value.stderrTail.trim().split('\n').at(-1) ?? ''
  return {
    why: `A trial command does not run in the OS sandbox: ${visibleLine(said, 300) || 'it said nothing'}.`,
    fix: whatHelps,
  }
}

const whatHelps =
  'It needs user namespaces: on Ubuntu 24.04 `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in a container the right to make them.'

const sentenceOf = (failure: Failure): string =>
  failure.reason === 'isolation-unavailable'
    ? visibleLine(failure.why, 300)
    : `It could not be tried (${failure.reason}).`
