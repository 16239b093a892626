import { describe, expect, it } from 'vitest'
import { OpenTools } from '../../../src/agents/open-tools.ts'

const main = { parent: null, message: 'm1' }

describe('OpenTools', () => {
  it('has a call open until it ends', () => {
    const tools = new OpenTools()
    tools.start('a', main)
    expect(tools.has('a')).toBe(true)
    expect(tools.isEmpty).toBe(false)
    tools.end('another')
    expect(tools.isEmpty).toBe(false)
    tools.end('a')
    expect(tools.isEmpty).toBe(true)
  })

  it('keeps the calls of one message open while it goes on', () => {
    const tools = new OpenTools()
    tools.start('a', main)
    tools.heard(main)
    expect(tools.has('a')).toBe(true)
  })

  it('takes a new message for the end of all calls before it, and not of those of a subagent', () => {
    const tools = new OpenTools()
    tools.start('a', main)
    tools.start('b', { parent: 'background', message: 's1' })
    tools.heard({ parent: null, message: 'm2' })
    expect([tools.has('a'), tools.has('b')]).toEqual([false, true])
    tools.heard({ parent: 'background', message: 's2' })
    expect(tools.isEmpty).toBe(true)
  })

  it('takes the end of a subagent for the end of its calls', () => {
    const tools = new OpenTools()
    tools.start('agent', main)
    tools.start('b', { parent: 'agent', message: 's1' })
    tools.end('agent')
    expect(tools.isEmpty).toBe(true)
  })

  it('does not grow without end', () => {
    const tools = new OpenTools()
    for (let n = 0; n < 5000; n++) tools.start(String(n), main)
    expect(tools.has('999')).toBe(true)
    expect(tools.has('1000')).toBe(false)
    expect(tools.isEmpty).toBe(false)
  })
})
