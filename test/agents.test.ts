import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../src/agents/agent.ts'
import { builtAgents } from '../src/agents/registry.ts'
import { someRequest } from './support/play-stream.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/agents.md'), 'utf8')

/** The cells of an agent's row below a heading, without marks. */
function cells(heading: string, { name }: Agent): readonly string[] {
  const section = page.split(/^(?=## |\| name)/m).find((part) => part.startsWith(heading)) ?? ''
  const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
  return row.split('|').map((cell) => cell.replaceAll(/[`*]/g, '').trim())
}

const agents = builtAgents.filter(({ name }) => name !== 'script').map((agent) => [agent.name, agent] as const)

const holders = { guard: "Ralph's hooks", sandbox: 'its own sandbox', user: 'you chose it' }
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

describe('docs/agents.md', () => {
  it.each(agents)('says how %s is started', (_, agent) => {
    const [, , program, options = '', autonomy = ''] = cells('| name | program', agent)
    expect(program).toBe(agent.program)
    const { args } = agent.command(someRequest)
    const named = `${options} ${autonomy}`.split(/[\s;]+/).filter((word) => word.startsWith('--'))
    // Those of codex in a box are named too.
    const all = new Set([...args, ...agent.command({ ...someRequest, boxed: true }).args])
    expect(named.filter((option) => !all.has(option))).toEqual([])
    if (options.includes('…')) return
    expect(args.filter((argument) => argument.startsWith('--') && !named.includes(argument))).toEqual([])
  })

  it.each(agents)('says what %s tells, what holds it and how it is known', (_, agent) => {
    const [, , cost, tokens, holder, , known] = cells('| name | tells', agent)
    expect([cost, tokens]).toEqual([yesOrNo(agent.reportsCost), yesOrNo(agent.reportsTokens)])
    expect(holder).toBe(agent.directly === null ? 'nothing' : holders[agent.directly])
    expect(known?.includes('experimental')).toBe(agent.experimental)
  })
})
