import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ClaudeLab, claudeProgram } from './lab.ts'
import { says } from './messages-api.ts'
import type { Stream } from './stream.ts'

const plugin = ['--plugin-dir', new URL('../../../', import.meta.url).pathname]

describe.skipIf(claudeProgram === null)("a user's own session of the real Claude Code", () => {
  let lab: ClaudeLab
  afterEach(() => lab.close())

  /** Changes what an agent must not, and commits nothing. */
  const works = (): Promise<Stream> => {
    const files = ['ralph/prd.md', '.claude/settings.json', '.git/hooks/pre-push', 'uncommitted.txt']
    const write = (path: string) => ({
      tool: 'Write',
      input: { file_path: join(lab.project, path), content: path.endsWith('.json') ? '{}' : 'Mine.\n' },
    })
    const read = says({ tool: 'Read', input: { file_path: join(lab.project, 'ralph/prd.md') } })
    return lab.session('Help me.', { answers: [read, ...files.map((path) => says(write(path)))], args: plugin })
  }

  function isLeftAlone(session: Stream): void {
    expect(session.init['plugins']).toContainEqual(expect.objectContaining({ name: 'ralph' }))
    expect(session.result).toMatchObject({ subtype: 'success', result: 'Done.', permission_denials: [] })
    const said = session.hooks.filter(({ stdout, exitCode }) => stdout !== '' || exitCode !== 0)
    expect(said).toEqual([])
    expect(session.hooks.filter(({ event }) => event === 'Stop')).toHaveLength(1)
    expect(lab.askedIn(session)).toHaveLength(6)
  }

  it('is not blocked in a directory in which a loop runs', async () => {
    lab = await ClaudeLab.open()
    const { model } = lab.api
    const sessions: Stream[] = []
    let [marker, prd] = ['', '']
    lab.api.model = async (asked) => {
      const isAgent = asked.prompt.includes('Mode: **implement**')
      if (isAgent && marker === '') {
        marker = lab.read('.ralph-active')
        sessions.push(await works())
        prd = lab.read('ralph/prd.md')
      }
      return model(asked)
    }
    await lab.run(['-n', '1', '--agent-arg', '--include-hook-events'])
    const [session] = sessions as [Stream]
    isLeftAlone(session)
    expect(prd).toBe('Mine.\n')
    // While the loop's own session was under guard.
    const [agent] = lab.streams() as [Stream]
    expect(JSON.parse(marker)).toMatchObject({ sessionId: agent.init['session_id'] })
    expect(agent.hooks.map(({ event }) => event)).toContain('PreToolUse')
  })

  it('79 user-session-with-foreign-marker: is untouched by a marker that somebody else left there', async () => {
    lab = await ClaudeLab.open()
    const story = { passes: false, reviewStatus: null, reviewCount: 0 }
    const marker = {
      version: 1,
      timestamp: '2026-01-01T00:00:00Z',
      pid: 1,
      runId: '20260101-000000-00000000',
      sessionId: 'f0000000-0000-4000-8000-000000000000',
      iteration: 1,
      max_iterations: 5,
      mode: 'direct',
      ralphDir: 'ralph',
      story: 'US-001',
      iterationMode: 'implement',
      preIterationSnapshot: { 'US-001': story },
    }
    lab.write('.ralph-active', JSON.stringify(marker))
    isLeftAlone(await works())
    expect(lab.read('ralph/prd.md')).toBe('Mine.\n')
  })
})
