import { describe, expect, it } from 'vitest'
import { codex } from '../../../src/agents/codex.ts'
import { someRequest } from '../../support/play-stream.ts'

const argsFor = (request: Partial<typeof someRequest>) => codex.command({ ...someRequest, ...request }).args

describe('the command for codex', () => {
  it('lets its own sandbox write the project and where git keeps the history', () => {
    const args = argsFor({ writableDirs: ['/main/.git/worktrees/x', '/main/.git'] })
    expect(args.join(' ')).toBe(
      'exec --json --sandbox workspace-write --add-dir /main/.git/worktrees/x --add-dir /main/.git --skip-git-repo-check',
    )
  })

  it('has no sandbox of its own in a box', () => {
    const args = argsFor({ boxed: true, writableDirs: ['/main/.git'] })
    expect(args.join(' ')).toBe('exec --json --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check')
  })

  it('never leaves the sandbox to what codex thinks of the project', () => {
    for (const boxed of [true, false]) {
      expect(argsFor({ boxed }).filter((arg) => /^--(sandbox|dangerously-bypass-approvals)/.test(arg))).toHaveLength(1)
    }
  })

  it('names the model where one is asked for', () => {
    expect(argsFor({ model: 'gpt-6' }).slice(-2)).toEqual(['--model', 'gpt-6'])
    expect(argsFor({ model: null })).not.toContain('--model')
  })

  it('cannot keep a budget in dollars', () => {
    expect(codex).toMatchObject({ reportsCost: false, reportsTokens: true, directly: 'sandbox' })
  })
})
