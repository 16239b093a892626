import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { diskPrint } from '../../support/disk-print.ts'
import { LoopProject } from '../../support/loop-project.ts'

/** Wrong input changes nothing on disk: neither in the project with its .git, nor in the state directory. */
async function refused(lab: LoopProject, words: readonly string[], env: Record<string, string> = {}) {
  const before = diskPrint(lab.project, lab.state, lab.home)
  const { exitCode, stdout, stderr } = await lab.command(words, env)
  expect(diskPrint(lab.project, lab.state, lab.home)).toEqual(before)
  expect(lab.notes()).toEqual({})
  expect(stdout).toBe('')
  expect(stderr.split('\n').length).toBeGreaterThan(1)
  return { exitCode, stderr }
}

const agentRan = `stage.remember({ ran: true })`

describe('a wrong command line is exit 2 and changes nothing', () => {
  let lab: LoopProject
  beforeAll(() => {
    lab = new LoopProject({ files: { 'text.json': '{"agent": {"command": "/bin/true"}}' } }).play(agentRan)
  })
  afterAll(() => lab.remove())

  const cases: readonly (readonly [what: string, words: readonly string[], says: string])[] = [
    ['an unknown command', ['rum'], '"ralph run"'],
    ['an unknown option', ['run', '--max-iteration', '3'], '--max-iterations'],
    ['no number of iterations', ['run', '-n', 'many'], '--max-iterations must be a whole number'],
    ['no iteration at all', ['run', '--max', '0'], '--max-iterations must be'],
    ['a number as a model', ['run', '-m', '20'], '-n 20'],
    ['a negative budget', ['run', '--max-cost', '-1'], '--max-cost'],
    ['a duration that is none', ['run', '--max-time', '5 minutes'], '--max-time must be a duration'],
    ['no time for an iteration', ['run', '--iteration-timeout', '0'], '--iteration-timeout must be'],
    ['an unknown agent', ['run', '--agent', 'cloude'], '"claude"'],
    ['an unknown reviewer', ['run', '--review-agent', 'nobody'], '--review-agent must be'],
    ['an empty check', ['run', '--check', ' '], '--check must be a command'],
    ['an unknown answer to the cap', ['run', '--at-review-cap', 'maybe'], 'approve, stop'],
    ['an unknown output', ['run', '--output', 'xml'], '--output'],
    ['an unknown isolation', ['run', '--isolation', 'jail'], '--isolation must be one of'],
    ['a box and none', ['run', '--sandbox', '--isolation', 'none'], 'say opposite things'],
    ['two tasks', ['run', 'this', '--prompt', 'that'], 'each give a task'],
    ['a story that is not there', ['run', '--story', 'US-099'], 'no story "US-099"'],
    ['a project that is not there', ['run', '-d', 'nowhere'], 'nowhere is missing'],
    ['a project that is a file', ['run', '-d', 'README.md'], 'is not a directory'],
    ['a ralph directory outside', ['run', '--ralph-dir', '../elsewhere'], 'must lie in the project'],
    ['a ralph directory that is not there', ['run', '--ralph-dir', 'docs/ralph'], 'docs/ralph/prd.md is missing'],
    ['settings that are not there', ['run', '-c', 'none.json'], 'none.json is missing'],
    ['a budget for an agent that tells no cost', ['run', '-c', 'text.json', '--max-cost', '1'], '--max-cost cannot be'],
    ['tokens of an agent that tells none', ['run', '-c', 'text.json', '--max-tokens', '9'], '--max-tokens cannot be'],
    ['the agent of the demo elsewhere', ['run', '-a', 'script'], 'plays the demo'],
    ['the reviewer of the demo elsewhere', ['run', '--review-agent', 'script'], 'plays the demo'],
    ['a custom agent without a program', ['run', '--agent', 'custom'], 'agent.command is not set'],
  ]
  it.for(cases)('%s', async ([, words, says]) => {
    const { exitCode, stderr } = await refused(lab, words)
    expect(stderr).toContain(says)
    expect(exitCode).toBe(2)
  })

  it('a wrong variable', async () => {
    const { exitCode, stderr } = await refused(lab, ['run'], { RALPH_MAX_TIME: 'long' })
    expect(stderr).toContain('RALPH_MAX_TIME must be a duration')
    expect(exitCode).toBe(2)
  })

  it('a run inside of a loop', async () => {
    const { exitCode, stderr } = await refused(lab, ['run'], { RALPH_RUN_ID: '20000101-000000-00000000' })
    expect(stderr).toContain('RALPH_RUN_ID')
    expect(exitCode).toBe(2)
  })

  it('a box where there is none is exit 3', async () => {
    expect(await refused(lab, ['run', '--sandbox'])).toMatchObject({ exitCode: 3 })
  })
})

describe('a project that cannot be worked on changes nothing:', () => {
  let lab: LoopProject
  afterEach(() => lab.remove())

  it('every problem of a list is told, and of invariants too', async () => {
    lab = new LoopProject({
      stories: [
        { passes: false, reviewStatus: 'approved' },
        { reviewStatus: 'changes_requested' },
        { dependsOn: ['US-009', 'US-003'] },
      ],
    }).play(agentRan)
    const broken = await refused(lab, ['run'])
    expect(broken.exitCode).toBe(2)
    for (const said of ['Story US-001 has reviewStatus', 'Story US-002 has', 'US-009', 'Story US-003 waits for itself'])
      expect(broken.stderr).toContain(said)

    lab.write('ralph/tasks.json', '{"project": 7, "userStories": [{"id": "a/b"}, {"id": "X", "priority": "high"}]}')
    const schema = await refused(lab, ['run'])
    expect(schema.exitCode).toBe(2)
    for (const said of ['project must be', 'branchName is missing', 'a/b', 'Story X: priority'])
      expect(schema.stderr).toContain(said)

    lab.write('ralph/tasks.json', '{"project": "A", "userStories": [')
    const corrupt = await refused(lab, ['run'])
    expect(corrupt.exitCode).toBe(2)
    expect(corrupt.stderr).toContain('tasks.json')
  })

  it('a list without stories, and the template as it was made', async () => {
    lab = new LoopProject({ stories: [] }).play(agentRan)
    const none = await refused(lab, ['run'])
    expect(none.exitCode).toBe(2)
    expect(none.stderr).toContain('edit ralph/tasks.json')
    lab.git('rm', '-rq', 'ralph')
    lab.commit('without a loop')
    expect(await lab.command(['init', '--name', 'first'])).toMatchObject({ exitCode: 0 })
    lab.commit('with one')
    const untouched = await refused(lab, ['run'])
    expect(untouched.exitCode).toBe(2)
    expect(untouched.stderr).toContain('run /ralph-plan or edit ralph/tasks.json')
  })

  it('settings that break their schema are told all at once', async () => {
    lab = new LoopProject().play(agentRan)
    lab.write('.ralph/settings.json', '{"maxIteration": 3, "agent": {"name": "cloud"}, "reviewCap": 0}')
    const { exitCode, stderr } = await refused(lab, ['run'])
    expect(exitCode).toBe(2)
    for (const said of ['maxIterations', 'agent.name', 'reviewCap']) expect(stderr).toContain(said)
  })

  it('uncommitted changes', async () => {
    lab = new LoopProject().play(agentRan)
    lab.write('README.md', 'changed\n')
    lab.write('new file.txt', 'new\n')
    const { exitCode, stderr } = await refused(lab, ['run'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('README.md, new file.txt')
    expect(stderr).toContain('--allow-dirty')
  })

  it('a directory that is no repository, one without a commit, one inside of a work tree', async () => {
    lab = new LoopProject().play(agentRan)
    const bare = join(lab.root, 'plain')
    mkdirSync(join(bare, 'ralph'), { recursive: true })
    for (const name of ['prd.md', 'tasks.json']) writeFileSync(join(bare, 'ralph', name), lab.read(`ralph/${name}`))
    const none = await refused(lab, ['run', '-d', bare])
    expect(none.exitCode).toBe(3)
    expect(none.stderr).toContain('git init')
    lab.git('init', '-q', bare)
    const empty = await refused(lab, ['run', '-d', bare])
    expect(empty.exitCode).toBe(3)
    expect(empty.stderr).toContain('git commit')
    const below = await refused(lab, ['run', '-d', 'ralph'])
    expect(below.exitCode).toBe(3)
    expect(below.stderr).toContain('--project-dir')
  })

  it('a merge that is open, and a HEAD on no branch', async () => {
    lab = new LoopProject().play(agentRan)
    lab.git('checkout', '-q', '-b', 'other')
    lab.write('README.md', 'theirs\n')
    lab.commit('theirs')
    lab.git('checkout', '-q', 'main')
    lab.write('README.md', 'ours\n')
    lab.commit('ours')
    expect(() => lab.git('merge', 'other')).toThrow()
    const merging = await refused(lab, ['run'])
    expect(merging.exitCode).toBe(3)
    expect(merging.stderr).toContain('git merge --abort')
    lab.git('merge', '--abort')
    lab.git('checkout', '-q', '--detach')
    const detached = await refused(lab, ['run'])
    expect(detached.exitCode).toBe(3)
    expect(detached.stderr).toContain('git switch')
  })
})
