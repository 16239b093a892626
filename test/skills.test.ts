import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/cli/commands.ts'
import { exitCodeOf } from '../src/model/stop-reason.ts'
import { advise } from '../src/tasks/advise.ts'
import { readTasks } from '../src/tasks/read-tasks.ts'
import { readLoopSkill, type LoopSkill } from './support/loop-skill.ts'

const root = join(import.meta.dirname, '..')
const names = readdirSync(join(root, 'skills')).toSorted()
const skills = names.map((name) => readLoopSkill(join(root, 'skills', name)))
const skill = (name: string): LoopSkill => skills[names.indexOf(name)] ?? expect.fail(`there is no skill ${name}`)

it('is there for everything that a user of the plugin does', () => {
  expect(names).toEqual(['ralph-archive', 'ralph-init', 'ralph-plan', 'ralph-run', 'ralph-status'])
})

describe.each(skills)('the skill $name', ({ name, directory, fields, body, calls, allowed }) => {
  it('has its name in its frontmatter: without it /name does not resolve, only /ralph:name', () => {
    expect(fields['name']).toBe(name)
    expect(directory).toBe(name)
  })

  it('says what it is for, and what may follow it', () => {
    expect(fields['description']).toMatch(/^.{40,500}\.$/)
    expect(fields['argument-hint']).toMatch(/^"\[.+"$/)
    expect(body.split('$ARGUMENTS')).toHaveLength(2)
  })

  it('has nothing else that Claude Code would replace', () => {
    const placeholders = new Set(body.match(/\$(?:\{\w+\}|\w+)/g))
    expect([...placeholders].toSorted()).toEqual(['$ARGUMENTS', '${CLAUDE_PLUGIN_ROOT}'])
    expect(body).not.toMatch(/!`/)
  })

  it('calls only what the command line understands, by its quoted path', () => {
    expect(calls.length).toBeGreaterThan(0)
    for (const { command, options } of calls) {
      const spec = commands.find((spec) => spec.name === command && spec.load !== undefined)
      expect(spec, command).toBeDefined()
      const known = spec?.options?.flatMap(({ flags }) => flags.match(/-{1,2}[\w-]+/g) ?? [])
      for (const option of options) expect(known, `${command} ${option}`).toContain(option)
    }
    const all = body.split('ralph.sh').length - 1
    expect(body.split('"${CLAUDE_PLUGIN_ROOT}/scripts/ralph.sh" ')).toHaveLength(all + 1)
  })

  it('is allowed what it does by itself, and no more', () => {
    // A story is decided by a person, who is asked.
    const own = new Set(calls.map(({ command }) => command).filter((command) => command !== 'story'))
    expect(new Set(allowed.map(({ command }) => command))).toEqual(own)
    const others = (fields['allowed-tools'] ?? '').replaceAll(/Bash\([^)]*\)/g, '').match(/\w+(?:\([^)]*\))?/g) ?? []
    const plans = ['Edit(ralph/prd.md)', 'Edit(ralph/tasks.json)']
    expect(others).toEqual(name === 'ralph-plan' ? plans : [])
  })

  it('says what to do with every exit code that its command can have', () => {
    const codes = [...body.matchAll(/^\| (\d+)[,| ]/gm)].map(([, code]) => Number(code))
    expect(codes).toEqual(name === 'ralph-run' ? [0, 2, 3, 4, 70] : [0, 2, 3, 70])
  })

  it('is short enough to be read', () => {
    expect(body.split('\n').length).toBeLessThanOrEqual(120)
  })
})

describe('ralph-plan', () => {
  const { fields, body } = skill('ralph-plan')

  it.each(['/ralph-plan', 'plan this feature for ralph', 'create a ralph prd', 'generate tasks for ralph'])(
    'is found by "%s"',
    (phrase) => {
      expect(fields['description']).toContain(`"${phrase}"`)
    },
  )

  it('names every section of the requirements', () => {
    const template = readFileSync(join(root, 'templates/prd-template.md'), 'utf8')
    const titles = [...template.matchAll(/^## (\d+\. .+)$/gm)].map(([, title]) => title)
    expect(titles).toHaveLength(10)
    for (const title of titles) expect(body).toContain(title)
  })

  it('shows a list that is valid and that the critic has nothing to say about', () => {
    const example = readTasks(/```json\n([\s\S]*?)```/.exec(body)?.[1] ?? '')
    if (!example.ok) expect.fail(example.error.map(({ message }) => message).join('\n'))
    expect(advise(example.value, { maxIterations: 15, skipReview: false, hasChecks: false, isFresh: true })).toEqual([])
  })

  it('runs the critic before it shows its result', () => {
    expect(body.indexOf('ralph.sh" check')).toBeGreaterThan(body.indexOf('## Before you show it'))
    expect(body.indexOf('Then present')).toBeGreaterThan(body.indexOf('ralph.sh" check'))
  })

  it('sends who has no loop here to init', () => {
    expect(body).toMatch(/no `ralph\/` directory, tell the user to\s+type `\/ralph-init` first, and stop/)
  })
})

describe('what starts agents or moves files', () => {
  it.each(['ralph-run', 'ralph-archive'])('is left to the user: %s', (name) => {
    expect(skill(name).fields['disable-model-invocation']).toBe('true')
  })

  it('starts in the background only', () => {
    const { calls, allowed } = skill('ralph-run')
    const runs = calls.filter(({ command }) => command === 'run')
    expect(runs.map(({ options }) => options)).toEqual([['--detach']])
    expect(allowed.filter(({ command }) => command === 'run').map(({ rest }) => rest)).toEqual(['--detach *'])
  })

  it('names every reason for which a run stops', () => {
    const { body } = skill('ralph-run')
    const reasons = Object.entries(exitCodeOf).flatMap(([reason, code]) => (code === 3 ? [] : [reason]))
    for (const reason of reasons) expect(body).toContain(`\`${reason}\``)
  })
})
