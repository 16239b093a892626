import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTasks } from '../../../src/tasks/read-tasks.ts'
import { CommandLab } from '../../support/command-line.ts'
import { isThere } from '../../support/repositories.ts'

let lab: CommandLab
beforeEach(() => {
  lab = new CommandLab('my $& project')
})
afterEach(() => lab.remove())

const created = ['ralph/prd.md', 'ralph/tasks.json', 'ralph/progress.txt', 'ralph/prompt.md']

/** Answers in order; then nobody answers. */
function answers(...lines: string[]) {
  const questions: string[] = []
  const ask = (question: string) => {
    questions.push(question)
    return Promise.resolve(lines.shift() ?? null)
  }
  return { ask, questions }
}

describe('ralph init', () => {
  it('creates the files of a loop from the templates', async () => {
    lab.start()
    const called = await lab.ralph(['init'])
    expect(called).toMatchObject({ code: 0, err: '' })
    expect(called.out).toContain(`Created ${created.join(', ')}.`)
    expect(lab.read('ralph/prompt.md')).toContain('{{story}}')
    expect(lab.read('ralph/prd.md')).toContain('# PRD')
    expect(lab.read('ralph/progress.txt')).toMatch(/^Started: \d{4}-\d\d-\d\d\nPRD: my \$& project$/m)
    expect(lab.tasks().branchName).toBe('ralph/feature-name')
    expect(lab.git('status', '--porcelain', '--untracked-files=all').split('\n').toSorted()).toEqual(
      ['', '?? .gitignore', ...created.map((path) => `?? ${path}`)].toSorted(),
    )
  })

  it('names the next steps, and git init where there is no repository yet', async () => {
    expect((await lab.ralph(['init'])).out).toContain(
      '  1. git init && git add -A && git commit -m "Start"\n  2. write',
    )
    lab.start()
    expect((await lab.ralph(['init'])).out).toContain('Next:\n  1. write ralph/prd.md')
  })

  it('names the commit that a new repository needs, and the directory that was chosen', async () => {
    lab.git('init', '-q')
    const { out } = await lab.ralph(['init', '--ralph-dir', 'the loop'])
    expect(out).toContain(
      '  1. git add -A && git commit -m "Start": a loop begins from a commit\n  2. write the loop/prd.md',
    )
    expect(out).toContain("  3. ralph check --ralph-dir 'the loop'\n  4. ralph run --ralph-dir 'the loop'")
  })

  it('makes nothing where no loop can run: below the top of a work tree', async () => {
    lab.start()
    const below = join(lab.project, 'src/deep')
    mkdirSync(below)
    const called = await lab.ralph(['init'], { cwd: below })
    expect(called).toMatchObject({ code: 3, out: '' })
    expect(called.err).toContain(`Start in the top: --project-dir '${lab.project}'`)
    expect(readdirSync(below)).toEqual([])
  })

  it('makes nothing in a bare repository', async () => {
    const bare = join(lab.root, 'bare.git')
    lab.git('init', '-q', '--bare', bare)
    const before = readdirSync(bare)
    expect(await lab.ralph(['init'], { cwd: bare })).toMatchObject({ code: 3, out: '' })
    expect(readdirSync(bare)).toEqual(before)
  })

  it('says what is in the way of its directory', async () => {
    lab.start({ ralph: 'a file\n' })
    const called = await lab.ralph(['init'])
    expect(called).toMatchObject({ code: 2, out: '' })
    expect(called.err).toContain(
      'ralph is not a directory.\nMove it out of the way, or choose another directory with --ralph-dir.',
    )
    expect(lab.has('.gitignore')).toBe(false)
  })

  it('says that a name came too late', async () => {
    lab.start()
    expect(await lab.ralph(['init', '--name', 'search'])).toMatchObject({ code: 0, err: '' })
    expect(await lab.ralph(['init', '--name', 'search'])).toMatchObject({ code: 0, err: '' })
    expect((await lab.ralph(['init', '--name', 'other'])).err).toBe(
      '--name changed nothing: branchName in ralph/tasks.json stays "ralph/search".',
    )
  })

  it('names branch and project after the feature', async () => {
    await lab.ralph(['init', '--name', 'User search, v2!'])
    expect(lab.tasks()).toMatchObject({ branchName: 'ralph/User-search-v2', project: 'User search, v2!' })
    expect(lab.read('ralph/progress.txt')).toContain('PRD: User search, v2!')
    // All that keeps this list from a start is that nobody has written a story.
    const read = readTasks(lab.read('ralph/tasks.json'))
    expect(read.ok ? [] : read.error.map(({ field }) => field)).toEqual(['acceptanceCriteria'])
  })

  it('writes the list as the template has it when there is no name', async () => {
    await lab.ralph(['init'])
    expect(lab.tasks()).toMatchObject({ project: '', userStories: [{ id: 'US-001', title: '', passes: false }] })
    expect(await lab.ralph(['check'])).toMatchObject({ code: 2, err: expect.stringContaining('/ralph-plan') as string })
  })

  it('keeps what is there and says which', async () => {
    lab.write('ralph/prd.md', 'mine\n')
    lab.write('.gitignore', 'node_modules')
    const called = await lab.ralph(['init'])
    expect(called).toMatchObject({ code: 0 })
    expect(called.out).toContain('Kept what was there: ralph/prd.md.')
    expect(lab.read('ralph/prd.md')).toBe('mine\n')
    expect(lab.read('.gitignore')).toBe('node_modules\n.ralph-active\n.ralph/guardrail_*\n.ralph/settings.local.json\n')
  })

  it('changes nothing the second time', async () => {
    await lab.ralph(['init'])
    const before = lab.read('.gitignore')
    const called = await lab.ralph(['init', '--name', 'other'])
    expect(called.out).toContain(`Kept what was there: ${created.join(', ')}.`)
    expect(called.out).not.toContain('.gitignore')
    expect(lab.read('.gitignore')).toBe(before)
    expect(lab.tasks().branchName).toBe('ralph/feature-name')
  })

  it('creates it elsewhere on request', async () => {
    mkdirSync(join(lab.project, 'sub'))
    const called = await lab.ralph(['init', '-d', lab.project, '--ralph-dir', 'loops/one'], { cwd: lab.root })
    expect(called).toMatchObject({ code: 0 })
    expect(lab.has('loops/one/tasks.json')).toBe(true)
  })

  it.each([
    ['ralph is a link', () => symlinkSync(lab.root, join(lab.project, 'ralph'))],
    ['ralph is a file', () => lab.write('ralph', 'x')],
    ['.gitignore is a link', () => symlinkSync(lab.canary, join(lab.project, '.gitignore'))],
    [
      'tasks.json is a link to nowhere',
      () => {
        mkdirSync(join(lab.project, 'ralph'))
        symlinkSync(lab.canary, join(lab.project, 'ralph/tasks.json'))
      },
    ],
  ])('writes nothing at all where %s', async (_, prepare) => {
    prepare()
    expect(await lab.ralph(['init'])).toMatchObject({ code: 2, out: '' })
    for (const path of ['prd.md', 'tasks.json', 'prompt.md']) expect(isThere(join(lab.root, path))).toBe(false)
    expect(isThere(lab.canary)).toBe(false)
    expect(lab.has('ralph/prd.md')).toBe(false)
  })

  it.each([[['--name', '!!!']], [['--ralph-dir', '../x']], [['--ralph-dir', '.git/x']], [['-d', 'missing']]])(
    'refuses %j and writes nothing',
    async (words) => {
      expect(await lab.ralph(['init', ...words])).toMatchObject({ code: 2, out: '' })
      expect(lab.has('ralph')).toBe(false)
    },
  )
})

describe('ralph init --settings', () => {
  it('asks for what most projects want and writes it', async () => {
    const { ask } = answers('', 'opus', '20', 'npm test', 'npm run lint', '')
    expect(await lab.ralph(['init', '--settings'], { ask })).toMatchObject({ code: 0 })
    expect(JSON.parse(lab.read('.ralph/settings.json'))).toEqual({
      agent: { name: 'claude', model: 'opus' },
      maxIterations: 20,
      checks: [{ command: 'npm test' }, { command: 'npm run lint' }],
    })
    expect(lab.has('ralph/tasks.json')).toBe(true)
  })

  it('takes nothing but answers for the defaults', async () => {
    const { ask, questions } = answers('', '', '', '')
    await lab.ralph(['init', '--settings'], { ask })
    expect(JSON.parse(lab.read('.ralph/settings.json'))).toEqual({ agent: { name: 'claude' }, maxIterations: 15 })
    expect(questions).toHaveLength(4)
  })

  it('asks again until an answer can be used, and for the program of a custom agent', async () => {
    const { ask } = answers('claud', 'custom', 'node x.mjs', '/opt/agent', '-m', '', 'many', '0', '3', '')
    const called = await lab.ralph(['init', '--settings'], { ask })
    expect(called.err).toContain('the nearest is "claude"')
    expect(JSON.parse(lab.read('.ralph/settings.json'))).toEqual({
      agent: { name: 'custom', command: '/opt/agent' },
      maxIterations: 3,
    })
  })

  it('replaces settings only on request', async () => {
    lab.write('.ralph/settings.json', '{"maxIterations": 3}\n')
    const kept = await lab.ralph(['init', '--settings'], answers(''))
    expect(kept).toMatchObject({ code: 0, out: expect.stringContaining('{"maxIterations": 3}') as string })
    expect(lab.read('.ralph/settings.json')).toBe('{"maxIterations": 3}\n')
    await lab.ralph(['init', '--settings'], answers('y', '', '', '', ''))
    expect(JSON.parse(lab.read('.ralph/settings.json'))).toMatchObject({ maxIterations: 15 })
  })

  it('ends as interrupted and writes no settings when nobody answers any more', async () => {
    expect(await lab.ralph(['init', '--settings'], answers('claude'))).toMatchObject({ code: 130 })
    expect(lab.has('.ralph/settings.json')).toBe(false)
  })

  it('refuses where there is no terminal, and writes nothing', async () => {
    expect(await lab.ralph(['init', '--settings'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('this is no terminal') as string,
    })
    expect(lab.has('ralph')).toBe(false)
  })
})
