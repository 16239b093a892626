import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { LoopProject } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

const says = async (...words: string[]): Promise<string> => {
  const { stdout, stderr } = await lab.command(words)
  return `${stdout}\n${stderr}`
}

it('a newcomer is told at every step what comes next, from init to the next loop', async () => {
  lab = new LoopProject().play('stage.honest()')
  const tasks = lab.read('ralph/tasks.json')
  rmSync(join(lab.project, 'ralph'), { recursive: true })
  lab.commit('no loop yet')
  expect(await says('run')).toContain('Run "ralph init" to create it')
  expect(await says('init')).toContain('1. write ralph/prd.md and ralph/tasks.json')
  expect(await says('run')).toContain('No story is written yet')
  lab.write('ralph/tasks.json', tasks)
  expect(await says('check')).toContain('To improve: ralph/prd.md is still the template')

  lab.write('.ralph/settings.local.json', '{ "maxIterations": 1 }')
  lab.write('.gitignore', 'node_modules\n')
  const first = await lab.run()
  expect(first.stdout).toContain('Iterations: at least 2 of at most 1; too few: give -n 2 or more.')
  expect(first.stdout).toContain('Next: "ralph run" goes on with the stories that are open.')
  // What init left for the runner to commit is no change of an agent's.
  expect(lab.git('show', '--stat', 'ralph/feature~1')).toContain('.gitignore')
  expect(first.stdout).not.toContain('Changed, and the checks or agents rely on it')
  // One person's settings are nobody else's business, whether init has seen to it or not.
  expect(lab.git('ls-files', '.ralph')).toBe('')
  expect(await says('status')).toContain('Stories: 0 of 1 approved, 1 to review')

  const second = await lab.run(['-n', '5'])
  expect(second.exitCode).toBe(0)
  expect(await says('run')).toContain('Stories: 1, 1 done. Only the checks are left.')
  expect(await says('archive')).toContain('Next: Write ralph/prd.md and ralph/tasks.json of the next loop')
  expect(await says('status')).toContain('Stories: none is written yet.')
  expect(await says('archive')).toContain('There is nothing to archive')
})

it('a check that fails again and again is named with its log, when it stops and when somebody looks later', async () => {
  lab = new LoopProject({ verifyCommands: ['no-such-program --all'] }).play('stage.honest()')
  const { exitCode, stdout } = await lab.run()
  expect(exitCode).toBe(4)
  const why =
    /The check `no-such-program --all` cannot start: its program is not there; what it printed last is in (.+\.log)/
  const [, log = ''] = why.exec(stdout) ?? []
  expect(log).toMatch(/checks\/\d+-no_such_program_all\.log$/)
  expect(stdout).toContain('Next: When that is seen to, "ralph run" goes on.')
  for (const command of ['status', 'log']) expect(await says(command)).toMatch(why)
})
