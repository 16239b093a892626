import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guard } from '../../../src/cli/guard.ts'
import type { OptionValue } from '../../../src/cli/command.ts'
import { scratch } from '../../support/scratch.ts'

async function asked(cwd: string, args: readonly string[], options: Record<string, OptionValue> = {}) {
  const lines: string[] = []
  const remarks: string[] = []
  const output = { line: (text: string) => lines.push(text), remark: (text: string) => remarks.push(text) }
  const result = await guard({ args, options, output, env: { HOME: '/home/nobody' }, cwd })
  return { result, lines, remarks }
}

describe('ralph guard', () => {
  it('answers outside of any project, with 0 for allowed and 1 for denied', async () => {
    const cwd = scratch()
    expect(await asked(cwd, ['rm -rf build'])).toMatchObject({ result: { ok: true, value: 0 }, lines: ['allowed'] })
    const denied = await asked(cwd, ['git push --force'], { json: true })
    expect(denied.result).toEqual({ ok: true, value: 1 })
    expect(JSON.parse(denied.lines[0] ?? '')).toMatchObject({
      decision: 'deny',
      rule: 'git-push',
      category: 'git-destruction',
      reason: expect.stringContaining('denied') as string,
    })
  })

  it('shows how a command was read', async () => {
    const { remarks } = await asked(scratch(), ['sudo sh -c "echo hi"'], { explain: true })
    expect(remarks.join('\n')).toMatch(/runs {2}echo hi {2}through sudo, sh/)
  })

  it('answers for tools that touch files', async () => {
    const cwd = scratch()
    const ssh = { tool: 'Read', path: '/home/nobody/.ssh/id_rsa' }
    expect((await asked(cwd, [], ssh)).result).toEqual({ ok: true, value: 1 })
    expect((await asked(cwd, [], { path: 'src/a.ts' })).result).toEqual({ ok: true, value: 0 })
  })

  it('says that nobody looks at a tool that it does not know, rather than that it is allowed', async () => {
    const { result, lines } = await asked(scratch(), [], { tool: 'Bogus', path: '/etc/passwd' })
    expect(result).toMatchObject({ ok: false, error: { reason: 'usage' } })
    expect(lines).toEqual([])
  })

  it('lifts what the settings of the project lift', async () => {
    const cwd = scratch()
    mkdirSync(join(cwd, '.ralph'))
    writeFileSync(join(cwd, '.ralph/settings.json'), '{"guard": {"allow": ["git-push"]}}')
    expect((await asked(cwd, ['git push --force'])).result).toEqual({ ok: true, value: 0 })
  })

  it('takes one question at a time', async () => {
    expect((await asked(scratch(), [])).result).toMatchObject({ ok: false, error: { reason: 'usage' } })
    expect((await asked(scratch(), ['ls'], { stdin: true })).result).toMatchObject({ ok: false })
  })

  it('has no project in the home or above it', async () => {
    expect((await asked('/', ['rm -rf usr'])).result).toEqual({ ok: true, value: 1 })
  })
})
