import { describe, expect, it } from 'vitest'
import { jsonAfterBanner, readBoxList } from '../../../../src/isolation/vm/box-list.ts'

const box = { name: 'ralph-a', agent: 'claude', status: 'running' }
const banner = 'Starting sandboxd daemon...\nDaemon started (PID: 1)\nLogs: /tmp/{x}\n'

describe('readBoxList', () => {
  it.each([
    ['under vms', JSON.stringify({ vms: [box] })],
    ['under sandboxes', JSON.stringify({ sandboxes: [box] })],
    ['over several lines', JSON.stringify({ vms: [box] }, null, 2)],
    ['after what a starting daemon says', `${banner}${JSON.stringify({ sandboxes: [box] }, null, 2)}\n`],
    ['with a state instead of a status', JSON.stringify({ sandboxes: [{ name: box.name, state: 'running' }] })],
    ['under the second key, where the first is null', JSON.stringify({ vms: null, sandboxes: [box] })],
  ])('finds a box %s', (_, output) => {
    expect(readBoxList(output)).toEqual([{ name: 'ralph-a', status: 'running' }])
  })

  it.each(['{"sandboxes":[]}', '{"vms":[]}', `${banner}{"sandboxes":[]}`])('knows an empty list: %j', (output) => {
    expect(readBoxList(output)).toEqual([])
  })

  it.each([
    '',
    'No sandboxes found\n',
    'You are not authenticated to Docker\n',
    '{"error":"x"}',
    '[]',
    '{',
    '{"vms":1}',
  ])('takes no other answer for a list: %j', (output) => expect(readBoxList(output)).toBeNull())

  it('leaves out what has no name', () => {
    expect(readBoxList('{"vms":[{"name":1},null,{"name":"a"}]}')).toEqual([{ name: 'a', status: '' }])
  })
})

it('finds JSON only at the beginning of a line', () => {
  expect(jsonAfterBanner('a {"b":1}\n{"c":2}')).toEqual({ c: 2 })
})
