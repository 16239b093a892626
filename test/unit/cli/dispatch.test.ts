import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import type { CommandSpec, Input } from '../../../src/cli/command.ts'
import { dispatch } from '../../../src/cli/dispatch.ts'
import { version } from '../../../src/cli/version.ts'

function shell(cwd: () => ReturnType<Parameters<typeof dispatch>[2]['cwd']> = () => ok('/project')) {
  const lines: string[] = []
  const inputs: Input[] = []
  const output = { line: (text: string) => void lines.push(text), remark: (text: string) => void lines.push(text) }
  const load: NonNullable<CommandSpec['load']> = () =>
    Promise.resolve((input) => {
      inputs.push(input)
      return Promise.resolve(ok(4))
    })
  const commands: CommandSpec[] = [
    { name: 'run', args: ['[task]'], summary: '', example: '', load },
    { name: 'status', summary: '', example: '', options: [{ flags: '--json', description: '' }], load },
    { name: 'plan', summary: '', example: '' },
  ]
  return { lines, inputs, go: (...words: string[]) => dispatch(words, commands, { output, env: { A: 'b' }, cwd }) }
}

describe('dispatch', () => {
  it('runs the command with its options and surroundings, and hands back its exit code', async () => {
    const { go, inputs } = shell()
    expect(await go('status', '--json')).toEqual(ok(4))
    expect(inputs).toMatchObject([{ args: [], options: { json: true }, env: { A: 'b' }, cwd: '/project' }])
  })

  it('prints the version and nothing else', async () => {
    const { go, lines } = shell()
    expect(await go('--version')).toEqual(ok(0))
    expect(lines).toEqual([version])
  })

  it('says that a command is not built yet, whatever options it got', async () => {
    expect(await shell().go('plan', '--whatever')).toEqual(err({ reason: 'not-built-yet', command: 'plan' }))
  })

  it('runs nothing when an option is wrong', async () => {
    const { go, inputs } = shell()
    expect(await go('status', '--jsn')).toMatchObject({ ok: false, error: { reason: 'usage' } })
    expect(inputs).toEqual([])
  })

  it.each(['status', 'stauts', 'thing'])(
    'does not take the single word %j behind an option for a task',
    async (word) => {
      const { go, inputs } = shell()
      expect(await go('--verbose', word)).toMatchObject({ ok: false, error: { reason: 'usage' } })
      expect(inputs).toEqual([])
    },
  )

  it('takes a sentence behind an option for the task of a run', async () => {
    const { go, inputs } = shell()
    expect(await go('--verbose', 'mend the tests')).toEqual(ok(4))
    expect(inputs[0]?.args).toEqual(['mend the tests'])
  })

  it('takes the name of a command for a task where it can be nothing else', async () => {
    const { go, inputs } = shell()
    expect(await go('run', 'status')).toEqual(ok(4))
    expect(inputs[0]?.args).toEqual(['status'])
  })

  it('asks for the directory only when a command is run', async () => {
    const missing = err({ reason: 'missing-file', path: 'here', fix: '' } as const)
    const { go, inputs } = shell(() => missing)
    expect(await go('--help')).toEqual(ok(0))
    expect(await go('status')).toEqual(missing)
    expect(inputs).toEqual([])
  })
})
