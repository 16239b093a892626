import { afterEach, expect, it } from 'vitest'
import { starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

it('an honest agent completes two hundred stories, some rejected, one split', async () => {
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
  // Two for each story and part, two more for each of the ten that were rejected once.
  expect(starts(events).length).toBe(424)
  expect(lab.list().userStories).toHaveLength(202)
  expect(lab.list().userStories.every(({ passes }) => passes)).toBe(true)
  expect(lab.git('status', '--porcelain')).toBe('')
})
