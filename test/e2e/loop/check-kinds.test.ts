import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventsOf, moves, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn } from '../../support/loop-project.ts'
import { newMark, processesWith } from '../../support/processes.ts'

let lab: LoopProject
afterEach(() => lab.remove())

describe('a check that fails', () => {
  it('makes an approval a request for changes, with its output for whoever fixes it', async () => {
    lab = new LoopProject({
      files: {
        'verify.sh': 'echo "expected 2, got $(wc -l < work/US-001.txt)"\ntest "$(wc -l < work/US-001.txt)" = 2\n',
      },
      stories: [{ verifyCommands: ['sh verify.sh'] }],
    }).play(`
      if (stage.mode === 'review-fix') stage.remember({
        feedback: stage.list().userStories[0].reviewFeedback,
        log: stage.read('.ralph/guardrail_2_sh_verify_sh.log'),
        named: stage.prompt.includes('.ralph/guardrail_2_sh_verify_sh.log'),
        status: stage.git('status', '--porcelain'),
      })
      stage.honest()`)
    const { exitCode, stdout, events } = await lab.run()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001'])
    expect(moves(events)).toEqual([
      'US-001 needs_review by agent',
      'US-001 changes_requested by runner',
      'US-001 needs_review by agent',
      'US-001 approved by agent',
    ])
    const notes = lab.notes() as { feedback: string; log: string; named: boolean; status: string }
    expect(notes.feedback).toContain('expected 2, got 1')
    expect(notes.log).toBe('expected 2, got 1\n')
    expect(notes).toMatchObject({ named: true, status: '' })
    expect(stdout).toContain('sh verify.sh')
    expect(exitCode).toBe(0)
  })

  it('three times is for a person to see to, and the next run begins a new count', async () => {
    lab = new LoopProject({ stories: [{ verifyCommands: ['echo it is broken; exit 3'] }] }).play('stage.honest()')
    const first = await lab.run()
    expect(moves(first.events).filter((move) => move.endsWith('changes_requested by runner'))).toHaveLength(3)
    expect(stopOf(first.events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(first.exitCode).toBe(4)
    expect(first.stdout).toContain('echo it is broken; exit 3')
    const list = lab.list()
    lab.write(
      'ralph/tasks.json',
      `${JSON.stringify({ ...list, userStories: [{ ...list.userStories[0], verifyCommands: ['true'] }] }, null, 2)}\n`,
    )
    const second = await lab.run()
    expect(starts(second.events)).toEqual(['review-fix US-001', 'review US-001'])
    expect(second.exitCode).toBe(0)
  })

  it('every other time is no dead end: it is fixed and reviewed until a person is asked', async () => {
    const flaky = 'n=$(cat "$COUNT" 2>/dev/null || echo 0); echo $((n + 1)) > "$COUNT"; test $((n % 2)) = 0\n'
    lab = new LoopProject({ files: { 'flaky.sh': flaky }, stories: [{ verifyCommands: ['sh flaky.sh'] }] }).play(
      'stage.honest()',
    )
    // It passes when the story is submitted and fails when it is approved, always.
    const { exitCode, stdout, events } = await lab.run([], { COUNT: join(lab.root, 'count') })
    expect(moves(events).filter((move) => move.endsWith('changes_requested by runner'))).toHaveLength(3)
    expect(stopOf(events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(exitCode).toBe(4)
    expect(stdout).toContain('sh flaky.sh')
  })

  it('of the whole list may wait for stories to come, and decides about the last', async () => {
    lab = new LoopProject({ stories: 2, verifyCommands: ['test -f work/US-002.txt'] }).play('stage.honest()')
    const { exitCode, events } = await lab.run()
    expect(starts(events)).toHaveLength(4)
    expect(eventsOf(events, 'check.finished').map((check) => [check.exitCode, check.decides])).toEqual([
      [1, false],
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ])
    expect(exitCode).toBe(0)
  })

  it('of the whole list that an earlier story passed is broken by the later one, which has to mend it', async () => {
    lab = new LoopProject({ stories: 2, verifyCommands: ['! test -f broken'] }).play(`
      if (stage.mode === 'implement' && stage.story === 'US-001') stage.honest()
      else if (stage.mode === 'implement') { stage.write('broken', 'x'); stage.honest() }
      else if (stage.mode === 'review-fix') { stage.remove('broken'); stage.honest() }
      else stage.honest()`)
    const { exitCode, events } = await lab.run()
    expect(moves(events)).toContain('US-002 changes_requested by runner')
    expect(starts(events).slice(-2)).toEqual(['review-fix US-002', 'review US-002'])
    expect(exitCode).toBe(0)
  })
})

describe('a check that', () => {
  it('cannot start is for a person at once; a script that a story has yet to bring is not', async () => {
    lab = new LoopProject({
      stories: [{ verifyCommands: ['./verify.sh'] }, { verifyCommands: ['no-such-program --all'] }],
    }).play(`
      if (stage.mode === 'review-fix') { stage.write('verify.sh', '#!/bin/sh\\n'); stage.sh('chmod +x verify.sh') }
      stage.honest()`)
    const { exitCode, stdout, events } = await lab.run()
    expect(starts(events)).toEqual([
      'implement US-001',
      'review US-001',
      'review-fix US-001',
      'review US-001',
      'implement US-002',
      'review US-002',
    ])
    expect(stopOf(events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(exitCode).toBe(4)
    expect(stdout).toContain('no-such-program --all')
  })

  it('never ends is ended, with all that it started', async () => {
    const mark = newMark()
    lab = new LoopProject({ verifyCommands: [`echo waits; sleep ${mark} & wait`] }).play('stage.honest()')
    const { exitCode, events } = await lab.run(['--check-timeout', '1s', '-n', '2'])
    expect(eventsOf(events, 'check.finished').map((check) => check.exitCode)).toEqual([null, null])
    expect(processesWith(mark)).toEqual([])
    expect(lab.story('US-001').reviewFeedback).toContain('waits')
    expect(moves(events).at(-1)).toBe('US-001 changes_requested by runner')
    expect(exitCode).toBe(1)
  })

  it('leaves daemons behind does not keep them', async () => {
    const mark = newMark()
    lab = new LoopProject({
      verifyCommands: [
        `setsid sh -c 'echo yes > ../daemon; exec sleep ${mark}' & nohup sleep ${mark} >/dev/null 2>&1 & until test -f ../daemon; do :; done`,
      ],
    }).play('stage.honest()')
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    expect(existsSync(join(lab.root, 'daemon'))).toBe(true)
    expect(processesWith(mark)).toEqual([])
  })

  it('is written with quotes, pipes and what else a shell takes is run as it stands', async () => {
    const commands = [
      `printf '%s\\n' "it's \\"quoted\\" \\$HOME" | grep -qF 'it'"'"'s "quoted" $HOME'`,
      'set -o pipefail; true | cat; [[ $(echo a) == a ]]',
      'cat <<< "here" | grep -q here',
      '# only a comment\ntest -d work',
      '-n "" || true',
    ]
    lab = new LoopProject({ verifyCommands: commands }).play('stage.honest()')
    const { exitCode, events } = await lab.run([
      '--check',
      `test "$RALPH_STORY$RALPH_MODE" != "" || test -n "$RALPH_RUN_ID"`,
    ])
    expect(violationsIn(events)).toEqual([])
    expect(new Set(eventsOf(events, 'check.finished').map((check) => check.exitCode))).toEqual(new Set([0]))
    expect(exitCode).toBe(0)
  })

  it('prints very much does not fill the prompt; all of it is in its log', async () => {
    lab = new LoopProject({ stories: [{ verifyCommands: ['seq 1 200000; test -f work/more.txt'] }] }).play(`
      if (stage.mode === 'review-fix') { stage.write('work/more.txt', 'x'); stage.remember({ length: stage.prompt.length }) }
      stage.honest()`)
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    expect(lab.notes()['length']).toBeLessThan(60_000)
    const logs = join(lab.runDirectory(), 'checks')
    const [log = ''] = readdirSync(logs).toSorted()
    expect(readFileSync(join(logs, log), 'utf8').split('\n')).toHaveLength(200_001)
  })
})
