import { afterEach, expect, it } from 'vitest'
import { LoopProject } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

it('completes two stories of an honest agent', async () => {
  lab = new LoopProject({ stories: 2 }).play('stage.honest()')
  const { exitCode, stdout, events } = await lab.run()
  expect(stdout).toContain('Complete')
  expect(exitCode).toBe(0)
  expect(events.at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'complete', exitCode: 0 })
})

it('never believes a claude that only prints the promise', async () => {
  lab = new LoopProject().play('stage.promise()')
  const { exitCode, events } = await lab.run()
  expect(exitCode).toBe(1)
  expect(events.at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'idle' })
})
