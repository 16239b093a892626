import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bash, ClaudeLab, claudeProgram } from './lab.ts'
import { says, type Asked, type Block } from './messages-api.ts'

const root = new URL('../../../', import.meta.url).pathname.replace(/\/$/, '')
const ralph = (words: string): Block => bash(`"${root}/scripts/ralph.sh" ${words}`)

/** A session of a user who is asked before a tool runs; what nobody answers is denied. */
async function types(lab: ClaudeLab, prompt: string, calls: readonly Block[]): Promise<Asked> {
  const toAgents = lab.api.model
  const asked: Asked[] = []
  lab.api.model = (request) => {
    if (/^Mode: \*\*/m.test(request.prompt)) return toAgents(request)
    asked.push(request)
    const call = calls[request.turn]
    return says(call ?? 'Done.')
  }
  const words = ['-p', '--output-format', 'stream-json', '--verbose', '--plugin-dir', root]
  await execa(claudeProgram ?? '', words, { cwd: lab.project, env: lab.env, extendEnv: false, input: prompt })
  lab.api.model = toAgents
  return asked.at(-1) ?? expect.fail('the model was not asked')
}

const needsApproval = /requires? approval|haven't granted it/

describe.skipIf(claudeProgram === null)('a skill, typed into the real Claude Code', () => {
  let lab: ClaudeLab
  beforeAll(async () => {
    lab = await ClaudeLab.open()
  })
  afterAll(() => lab.close())

  it.each([
    ['ralph-init', ralph('init --name "a b"'), 'Kept what was there'],
    ['ralph-plan', ralph('check'), '1 story'],
    ['ralph-run', ralph('log'), 'No run has started here'],
    ['ralph-status', ralph('status --json'), '"state": "none"'],
    ['ralph-archive', ralph('archive'), '--force'],
  ])('by its short name expands, and may do its work unasked: %s', async (name, call, answer) => {
    const { raw, results } = await types(lab, `/${name} of my own`, [call, ralph('story approve US-001 --reason x')])
    expect(raw).toContain(`<command-name>/ralph:${name}</command-name>`)
    expect(raw).toContain('of my own\\n')
    expect(raw).toContain(JSON.stringify(`"${root}/scripts/ralph.sh" `).slice(1, -1))
    expect(raw).not.toMatch(/\$\{CLAUDE_\w+\}|\$ARGUMENTS/)
    expect(results[0]).toContain(answer)
    expect(results[1]).toMatch(needsApproval)
  })

  it('is the same by its full name', async () => {
    const { raw } = await types(lab, '/ralph:ralph-plan', [])
    expect(raw).toContain(JSON.stringify(`"${root}/scripts/ralph.sh" check`).slice(1, -1))
  })

  it('may write the plan and nothing else: ralph-plan', async () => {
    const write = (path: string): Block => ({
      tool: 'Write',
      input: { file_path: join(lab.project, path), content: '{}\n' },
    })
    const read: Block = { tool: 'Read', input: { file_path: join(lab.project, 'ralph/tasks.json') } }
    const before = lab.read('ralph/tasks.json')
    const { results } = await types(lab, '/ralph-plan', [read, write('ralph/tasks.json'), write('src/a.js')])
    expect(results[1]).toContain('has been updated')
    expect(results[2]).toMatch(needsApproval)
    lab.write('ralph/tasks.json', before)
  })

  it('that starts agents or moves files is neither seen nor called by the model', async () => {
    const calls = ['ralph-run', 'ralph-archive'].map((name) => ({ tool: 'Skill', input: { skill: `ralph:${name}` } }))
    const { raw, results } = await types(lab, 'Finish this feature.', calls)
    for (const result of results) expect(result).toContain('disable-model-invocation')
    expect(results).toHaveLength(2)
    expect([...new Set(raw.match(/- ralph:[\w-]+: /g))].toSorted()).toEqual([
      '- ralph:ralph-init: ',
      '- ralph:ralph-plan: ',
      '- ralph:ralph-status: ',
    ])
  })
})

describe.skipIf(claudeProgram === null)('/ralph-run in the real Claude Code', () => {
  it('starts a loop that outlives the call, follows it and sees how it ended', async () => {
    const lab = await ClaudeLab.open()
    try {
      const { results } = await types(lab, '/ralph-run -n 4', [
        ralph('check'),
        ralph('run --detach -n 4'),
        ralph('log --follow'),
        ralph('status --json'),
      ])
      expect(results[1]).toMatch(/^\d{8}-\d{6}-[0-9a-f]{8}$/m)
      expect(results[2]).toContain('Iteration 2: review US-001 with claude')
      expect(JSON.parse(results[3] ?? '')).toMatchObject({ state: 'stopped', stopReason: 'complete', iteration: 2 })
      expect(lab.story('US-001')).toMatchObject({ passes: true, reviewStatus: 'approved' })
    } finally {
      await lab.command(['cancel'])
      await lab.close()
    }
  })
})
