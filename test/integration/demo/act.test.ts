import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { act } from '../../../src/demo/act.ts'
import { agentEnvironment, demoEnvironment } from '../../../src/demo/environment.ts'
import { performStep } from '../../../src/demo/perform-step.ts'
import { prepareDemo } from '../../../src/demo/prepare.ts'
import { demoFiles } from '../../../src/demo/project.ts'
import { shortCutNote } from '../../../src/demo/scene.ts'
import type { IterationMode } from '../../../src/model/story.ts'
import { runProgram } from '../../../src/process/run-program.ts'
import { selectStory } from '../../../src/tasks/select-story.ts'
import { listIn, oneIteration } from '../../support/one-iteration.ts'
import { gitProgram, Lab, value } from '../../support/repositories.ts'

let lab: Lab
let env: Record<string, string>

beforeEach(async () => {
  lab = new Lab('a project of the demo')
  rmSync(lab.project, { recursive: true })
  env = demoEnvironment(
    // A hook of git has such variables, and nobody on this machine has an identity.
    { PATH: process.env['PATH'], HOME: join(lab.root, 'home'), GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' },
    {
      stateDir: join(lab.root, 'state'),
      configHome: join(lab.root, 'none'),
      node: process.execPath,
      startedMs: 0,
    },
  )
  value(await prepareDemo({ project: lab.project, git: gitProgram, env, signal: new AbortController().signal }))
  lab.git('switch', '-q', '-c', 'ralph/receipts')
})
afterEach(() => lab.remove())

interface Played {
  readonly ok: boolean
  readonly lines: readonly JsonObject[]
  /** What the agent said, one text a line. */
  readonly said: string
}

async function play(mode: IterationMode, story: string, prompt: string): Promise<Played> {
  const lines: JsonObject[] = []
  const result = await act({
    prompt,
    env: { ...env, RALPH_MODE: mode, RALPH_STORY: story, RALPH_DIR: 'ralph' },
    cwd: lab.project,
    node: process.execPath,
    sessionId: 'a-session',
    print: (line) => lines.push(JSON.parse(line) as JsonObject),
  })
  const said = lines.flatMap((line) => contents(line, 'text').map((block) => block['text'] as string)).join('\n')
  return { ok: result.ok, lines, said }
}

/** The blocks of this type in the message of a line. */
function contents({ message }: JsonObject, type: string): JsonObject[] {
  const blocks = (message as { content?: readonly JsonObject[] } | undefined)?.content ?? []
  return blocks.filter((block) => block['type'] === type)
}

const fileIn = (path: string) => readFileSync(join(lab.project, path), 'utf8')

async function passes(...args: string[]): Promise<boolean> {
  const spec = { program: process.execPath, args: ['--test', ...args], cwd: lab.project, env: agentEnvironment(env) }
  return value(await runProgram(spec)).exitCode === 0
}

/** What came of one iteration, as a line: `implement US-001 → needs_review`. */
async function iterate(feedback: readonly string[]): Promise<{ line: string; said: string; violations: string[] }> {
  const next = selectStory(listIn(lab), { skipReview: false })
  if (next.kind !== 'iterate') return { line: next.kind, said: '', violations: [] }
  let said = ''
  const judged = await oneIteration(
    lab,
    next.mode,
    async () => {
      const played = await play(next.mode, next.story.id, [`Work on ${next.story.id}.`, ...feedback].join('\n'))
      expect(played.ok).toBe(true)
      said = played.said
    },
    { story: next.story.id },
  )
  expect(judged.unfinished).toEqual([])
  const move = judged.repair.move?.to ?? judged.illegal.map(({ rule }) => rule).join('+')
  return {
    line: `${next.mode} ${next.story.id} → ${move}`,
    said,
    violations: judged.illegal.map(({ message }) => `- ${message}`),
  }
}

describe('the scripted agent', () => {
  it('plays the whole story under the eyes of the referee', async () => {
    const lines: string[] = []
    const said: string[] = []
    let feedback: readonly string[] = []
    while (lines.length < 15 && lines.at(-1) !== 'done') {
      const played = await iterate(feedback)
      lines.push(played.line)
      said.push(played.said)
      feedback = played.violations
    }
    expect(lines).toEqual([
      'implement US-001 → needs_review',
      'review US-001 → approved',
      'implement US-002 → needs_review',
      'review US-002 → changes_requested',
      'review-fix US-002 → needs_review',
      'review US-002 → approved',
      'implement US-003 → protected-file+illegal-transition',
      'implement US-003 → needs_review',
      'review US-003 → approved',
      'done',
    ])
    expect(said[3]).toContain('amount(-5) gives -1.-5.')
    expect(said[4]).toContain('amount(-5) gives -1.-5.')
    expect(said[7]).toContain('The referee wrote to me: "acceptance/receipt.js: the checks stand on this file')
    expect(said[7]).toContain('The referee wrote to me: "Implement iterations cannot set passes=true')
    expect(said[8]).toContain('<promise>COMPLETE</promise>')
    expect(fileIn('acceptance/receipt.js')).toBe(demoFiles['acceptance/receipt.js'])
    expect(await passes()).toBe(true)
    for (const test of ['total', 'amount', 'receipt']) expect(await passes(`acceptance/${test}.js`)).toBe(true)
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(new Set(lab.git('log', '--format=%an').trim().split('\n'))).toEqual(new Set(['Ralph Demo', 'Ralph']))
  })

  it('does the same work again after it was interrupted in the middle of it', async () => {
    const { ok } = await play('implement', 'US-001', 'Work on US-001.')
    expect(ok).toBe(true)
    // As if it had been ended before it touched the list.
    writeFileSync(join(lab.project, 'ralph/tasks.json'), demoFiles['ralph/tasks.json'] ?? '')
    expect((await iterate([])).line).toBe('implement US-001 → needs_review')
  })

  it('commits nothing where everything is committed', async () => {
    const place = { project: lab.project, ralphDir: '', git: gitProgram, node: process.execPath, env }
    expect(value(await performStep({ kind: 'commit', message: 'nothing' }, place)).ok).toBe(true)
    expect(lab.git('rev-list', '--count', 'HEAD').trim()).toBe('1')
  })

  it('says so when git does not commit', async () => {
    lab.write('.git/hooks/pre-commit', '#!/bin/sh\necho not today >&2\nexit 1\n', 0o755)
    const { ok, lines } = await play('implement', 'US-001', 'US-001')
    expect(ok).toBe(false)
    expect(lines.at(-1)?.['result']).toBe('git commit failed: not today')
  })

  it('is honest in the third story as soon as its short cut is in the log, prompt or not', async () => {
    writeFileSync(join(lab.project, 'ralph/progress.txt'), `---\n- ${shortCutNote}\n`)
    for (const story of ['US-001', 'US-002']) await play('review-fix', story, story)
    const { said } = await play('implement', 'US-003', 'US-003')
    expect(said).toContain('My short cut was put back.')
    expect(fileIn('acceptance/receipt.js')).toBe(demoFiles['acceptance/receipt.js'])
    expect(await passes('acceptance/receipt.js')).toBe(true)
  })

  it('refuses a project that is not the demo, and changes nothing in it', async () => {
    lab.write('ralph/tasks.json', (demoFiles['ralph/tasks.json'] ?? '').replace('ralph-demo-receipts', 'mine'))
    lab.commit('mine')
    const { ok, lines, said } = await play('implement', 'US-001', 'US-001')
    expect([ok, said, lab.git('status', '--porcelain')]).toEqual([false, '', ''])
    expect(lines.at(-1)).toMatchObject({ type: 'result', is_error: true })
    expect(lines.at(-1)?.['result']).toContain('knows no other project')
  })

  it('refuses a prompt that speaks of something else', async () => {
    const { ok, lines } = await play('implement', 'US-001', 'Work on US-002.')
    expect(ok).toBe(false)
    expect(lines.at(-1)?.['result']).toBe('The prompt on stdin does not speak of US-001.')
  })

  it('shows each call with its result, and a failed test as failed', async () => {
    for (const story of ['US-001', 'US-002']) await play('review-fix', story, story)
    const { lines } = await play('implement', 'US-003', 'US-003')
    const results = lines.flatMap((line) => contents(line, 'tool_result'))
    const calls = lines.flatMap((line) => contents(line, 'tool_use'))
    expect(results.map((result) => result['tool_use_id'])).toEqual(calls.map((call) => call['id']))
    const failed = results.flatMap((result, index) => (result['is_error'] === true ? [calls[index]?.['input']] : []))
    expect(failed).toEqual([{ command: 'node acceptance/receipt.js' }])
  })
})
