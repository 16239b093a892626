import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { HeldProject, type Running } from './held-project.ts'
import type { LoopSetup } from './loop-project.ts'
import type { seededRandom } from './seed.ts'
import { expectSound } from './sound-run.ts'
import { until } from './until.ts'

type Random = ReturnType<typeof seededRandom>

/** What a run is about; each completes by itself. */
const plays: readonly { readonly setup: LoopSetup; readonly scene: string }[] = [
  { setup: { stories: 2 }, scene: 'stage.honest()' },
  {
    setup: { stories: 2 },
    scene: `
      if (stage.story === 'US-001' && stage.mode === 'implement' && stage.first('cheat')) {
        stage.write('ralph/prd.md', 'nothing is wanted')
        stage.write('left.txt', 'left uncommitted')
        stage.approveAll()
        return stage.promise()
      }
      stage.honest()`,
  },
  {
    setup: {
      files: { 'counter.txt': '0\n' },
      verifyCommands: ['echo $$ > "$TRACKED"; echo $$ > "made-$$"; test -d work'],
    },
    scene: `
      if (stage.mode === 'review' && stage.list().userStories[0].reviewCount === 0) return stage.reject('not so')
      stage.honest()`,
  },
  {
    setup: { verifyCommands: ['test -e work/fixed'] },
    scene: `
      if (stage.mode === 'review-fix') stage.write('work/fixed', '')
      stage.honest()`,
  },
]

/** How a run was killed and went on, for the message of a failure and for the figures. */
export interface KilledRun {
  readonly kills: number
  readonly seconds: number
}

/**
 * One run that is killed one to three times at random instants and then resumed: it completes soundly, its journal has no
 * gap, and nothing of it is left. Half of the kills take everything at once, as a power cut would; the others only the runner.
 */
export async function killAndResume(random: Random): Promise<KilledRun> {
  const begun = performance.now()
  const play = plays[random.next(plays.length)] ?? { setup: {}, scene: '' }
  const lab = new HeldProject(play.setup).play(play.scene)
  lab.env['TRACKED'] = 'counter.txt'
  if (random.next(3) === 0) lab.withoutNamespace()
  const planned = Array.from({ length: 1 + random.next(3) }, () => ({
    events: random.next(14),
    delayMs: random.next(80),
    all: random.next(2) === 0,
  }))
  try {
    let kills = 0
    for (const { events, delayMs, all } of planned) {
      const before = lab.written().length
      const run = lab.start(['-n', '40'])
      const isOver = (): boolean => run.exitCode !== null || run.signalCode !== null
      await until('its instant', () => isOver() || lab.written().length >= before + events, 100_000)
      await delay(delayMs)
      if (isOver()) break
      if (all) killAll(lab, run)
      else run.kill('SIGKILL')
      if ((await run).signal !== 'SIGKILL') break
      kills++
    }
    const { exitCode, stdout, stderr } = await lab.run(['-n', '40'])
    expect(exitCode, `${JSON.stringify(planned)}\n${stdout}\n${stderr}`).toBe(0)
    // Whoever was killed after the last record was already done: then the last run has only checked.
    if (lab.runs().length === 1) expectSound(lab, lab.events())
    for (const runId of lab.runs()) lab.events(runId)
    await lab.nobodyLeft()
    lab.git('fsck', '--strict')
    expect(leftFiles(lab)).toEqual([])
    return { kills, seconds: (performance.now() - begun) / 1000 }
  } finally {
    lab.remove()
  }
}

/** The runner first: nobody may come to their senses. */
function killAll(lab: HeldProject, run: Running): void {
  run.kill('SIGKILL')
  for (const pid of lab.alivePids()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** What a killed runner could have left in the project or beside its journals. */
function leftFiles(lab: HeldProject): string[] {
  const inProject = readdirSync(lab.project, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.ralph-|tmp_ralph_|\.lock$/.test(path),
  )
  const [project = ''] = readdirSync(lab.state)
  const beside = readdirSync(join(lab.state, project)).filter((name) => !['runs', 'control', 'box'].includes(name))
  return [...inProject, ...beside]
}
