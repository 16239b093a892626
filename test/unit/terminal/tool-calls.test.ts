import { expect, it } from 'vitest'
import { openToolCalls } from '../../../src/terminal/tool-calls.ts'
import { fakeClock } from '../../support/fake-screen.ts'

const start = (id: string, verb = 'Bash', target = 'ls') => ({ kind: 'agent.tool.started', id, verb, target }) as const
const end = (id: string, ok = true, output = '') => ({ kind: 'agent.tool.ended', id, ok, output }) as const

function open() {
  const clock = fakeClock()
  return { clock, calls: openToolCalls(() => clock.elapsed()) }
}

it('brings both ends together by id, in whatever order they come', () => {
  const { clock, calls } = open()
  calls.started(start('a', 'Bash', 'npm test'))
  clock.pass(1000)
  calls.started(start('b', 'Read', 'a.ts'))
  clock.pass(200)
  expect(calls.ended(end('a', false, 'no'))).toEqual({
    verb: 'Bash',
    target: 'npm test',
    ok: false,
    tookMs: 1200,
    output: 'no',
  })
  expect(calls.ended(end('b'))).toMatchObject({ verb: 'Read', target: 'a.ts', ok: true, tookMs: 200 })
})

it('knows what is going on now', () => {
  const { calls } = open()
  expect(calls.current()).toBe(null)
  calls.started(start('a', 'Bash', 'one'))
  calls.started(start('b', 'Bash', 'two'))
  expect(calls.current()).toMatchObject({ target: 'two' })
  calls.ended(end('b'))
  expect(calls.current()).toMatchObject({ target: 'one' })
})

it('shows an end without a beginning all the same', () => {
  const { calls } = open()
  expect(calls.ended(end('x', false, 'no'))).toEqual({
    verb: 'tool',
    target: '',
    ok: false,
    tookMs: null,
    output: 'no',
  })
})

it('gives up what is open when the agent is gone', () => {
  const { clock, calls } = open()
  calls.started(start('a', 'Bash', 'sleep 100'))
  clock.pass(5000)
  expect(calls.abandon()).toEqual([{ verb: 'Bash', target: 'sleep 100', ok: null, tookMs: 5000, output: '' }])
  expect([calls.current(), calls.abandon()]).toEqual([null, []])
})

it('remembers no more than a few hundred', () => {
  const { calls } = open()
  for (let n = 0; n < 10_000; n++) calls.started(start(`id-${n}`))
  expect(calls.abandon()).toHaveLength(200)
})

it.each([
  ['/home/me/shop/src/cart.ts', 'src/cart.ts'],
  ['/home/me/shop/', '/home/me/shop/'],
  ['/home/me/shopping/list', '/home/me/shopping/list'],
  ['cat /home/me/shop/a', 'cat /home/me/shop/a'],
])('names a file of the project from there: %s', (target, shown) => {
  const calls = openToolCalls(() => 0, '/home/me/shop')
  calls.started(start('a', 'Read', target))
  expect(calls.current()?.target).toBe(shown)
})

it('counts the calls and those that failed, until it is asked', () => {
  const { calls } = open()
  calls.started(start('a'))
  calls.started(start('b'))
  calls.ended(end('a', false))
  expect([calls.takeTally(), calls.takeTally()]).toEqual([
    { calls: 2, failed: 1 },
    { calls: 0, failed: 0 },
  ])
})
