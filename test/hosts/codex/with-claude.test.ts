import { afterEach, describe, expect, it } from 'vitest'
import { ClaudeLab, claudeProgram } from '../claude/lab.ts'
import { codexProgram, honest, taskOf, useCodex } from './lab.ts'
import { ResponsesApi, says } from './responses-api.ts'

describe.skipIf(codexProgram === null || claudeProgram === null)(
  'a loop with the real Claude Code and the real codex',
  () => {
    let lab: ClaudeLab
    let responses: ResponsesApi
    afterEach(() => Promise.all([lab.close(), responses.close()]))

    it('completes two stories that one of them writes and the other reviews', async () => {
      lab = await ClaudeLab.open({ stories: 2, files: { 'CLAUDE.md': 'Indent with tabs.\n' } })
      responses = await ResponsesApi.open()
      useCodex(lab, responses)
      responses.model = (asked) => {
        const { mode, story } = taskOf(asked)
        return honest(mode, story)[asked.turn] ?? says(`I have done ${mode} ${story}.`)
      }
      const { exitCode, events, stdout } = await lab.run(['--review-agent', 'codex', '--review-model', 'gpt-5.5'])
      expect(stdout).toContain('claude, reviewed by codex (gpt-5.5)')
      expect(stdout).toContain('Complete')
      expect(exitCode).toBe(0)
      const started = events.filter((event) => event.kind === 'iteration.started')
      expect(started.map(({ mode, story, agent, model }) => `${mode} ${story} ${agent} ${model}`)).toEqual([
        'implement US-001 claude null',
        'review US-001 codex gpt-5.5',
        'implement US-002 claude null',
        'review US-002 codex gpt-5.5',
      ])
      const finished = events.filter((event) => event.kind === 'agent.finished')
      expect(finished.map(({ outcome, costUsd }) => `${outcome} ${costUsd === null ? 'unknown' : 'known'}`)).toEqual([
        'succeeded known',
        'succeeded unknown',
        'succeeded known',
        'succeeded unknown',
      ])
      expect(lab.asked('review')).toEqual([])
      for (const { besides } of [...lab.api.asked, ...responses.asked]) expect(besides).toContain('Indent with tabs.')
    })
  },
)
