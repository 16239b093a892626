import { afterEach, expect, it } from 'vitest'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

it('an honest agent completes two hundred stories, some rejected, some split, and the last iterations cost what the first did', async () => {
  const stories = Array.from({ length: 200 }, (_, index) => ({
    dependsOn: index % 10 === 9 ? [`US-${String(index - 8).padStart(3, '0')}`] : [],
  }))
  lab = new LoopProject({ stories, verifyCommands: ['test -d work'] }).play(`
    const number = Number(stage.story.slice(3, 6))
    if (stage.mode === 'review' && number % 20 === 0 && stage.first('rejected ' + stage.story)) stage.reject('Once more.')
    else if (stage.mode === 'implement' && stage.story === 'US-050') {
      stage.edit((list, one) => {
        one.notes = 'Too much.'
        one.splitInto = ['US-050a', 'US-050b']
        for (const id of one.splitInto) list.userStories.push({ ...one, id, notes: '', splitInto: undefined, priority: 1000 })
      })
      stage.commit()
      stage.say('split')
    } else stage.honest()`)
  lab.timeoutMs = 3_600_000
  const { exitCode, events } = await lab.run(['-n', '500'])
  expect(violationsIn(events)).toEqual([])
  expect(stopOf(events)).toEqual({ reason: 'complete', exitCode: 0 })
  expect(exitCode).toBe(0)
  // 198 in two, 10 rejected ones in two more (one of them split: three parts of it are reviewed, two implemented).
  expect(starts(events).length).toBeGreaterThan(400)
  expect(lab.list().userStories).toHaveLength(202)
  expect(lab.list().userStories.every(({ passes }) => passes)).toBe(true)
  expect(lab.git('status', '--porcelain')).toBe('')

  // What the runner itself takes: all of an iteration but the agent and the checks.
  const own = ownMs(events)
  const [first, last] = [median(own.slice(0, 50)), median(own.slice(-50))]
  console.log(`${own.length} iterations; the runner's own part: ${first} ms at first, ${last} ms at last`)
  expect(last).toBeLessThan(3 * first + 50)
})

function ownMs(events: Parameters<typeof starts>[0]): number[] {
  const began = eventsOf(events, 'iteration.started').map(({ at }) => Date.parse(at))
  const ended = eventsOf(events, 'iteration.finished').map(({ at }) => Date.parse(at))
  const agents = eventsOf(events, 'agent.finished').map(({ durationMs }) => durationMs)
  return began.map((at, index) => {
    const checks = eventsOf(events, 'check.finished').filter(({ iteration }) => iteration === index + 1)
    const others = checks.reduce((sum, { durationMs }) => sum + durationMs, agents[index] ?? 0)
    return Math.round((ended[index] ?? at) - at - others)
  })
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
