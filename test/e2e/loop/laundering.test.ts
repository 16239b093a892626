import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stopOf } from '../../support/loop-events.ts'
import { LoopProject } from '../../support/loop-project.ts'
import { until } from '../../support/until.ts'

/** What an agent leaves that nobody has judged must not steer whoever comes next. */
let lab: LoopProject
afterEach(() => lab.remove())

/** Plays `scene` once, in the middle of which the runner is killed; afterwards agents are honest. */
async function killedIn(scene: string): Promise<void> {
  lab = new LoopProject().play(`
    if (!stage.first('killed')) return stage.honest()
    ${scene}
    stage.remember({ ready: true })
    await new Promise(() => setInterval(() => undefined, 1000))`)
  const run = lab.start()
  await until('the agent has done it', () => lab.notes()['ready'] === true, 60_000)
  run.kill('SIGKILL')
  await run
}

describe('settings that an agent wrote before the runner was killed', () => {
  const evil = `stage.write('evil.sh', '#!/bin/sh\\ntouch "$HOME/evil"\\n'); stage.sh('chmod +x evil.sh; cp evil.sh "$HOME/evil.sh"')
    stage.write('.ralph/settings.json', JSON.stringify({ agent: { name: 'custom', command: [process.env.HOME + '/evil.sh'] }, checks: [] }))`

  it('start no program in a fresh run, and go back', async () => {
    await killedIn(evil)
    const { exitCode, events } = await lab.run(['--fresh'])
    expect(exitCode).toBe(0)
    expect(stopOf(events)).toMatchObject({ reason: 'complete' })
    expect(existsSync(join(lab.home, 'evil'))).toBe(false)
    expect(lab.has('.ralph/settings.json')).toBe(false)
    expect(lab.events(lab.runs()[0]).at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'interrupted' })
  })

  it('that nobody can read do not keep the run from going on', async () => {
    await killedIn(`stage.write('.ralph/settings.json', '{"agent": ')`)
    expect(await lab.run()).toMatchObject({ exitCode: 0 })
    expect(lab.has('.ralph/settings.json')).toBe(false)
  })
})
