import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { playCheats, type Cheat, type Played } from '../../support/cheats.ts'
import { LoopProject, ralph, type Scene } from '../../support/loop-project.ts'
import { needsNamespace, probed, processesWith } from '../../support/processes.ts'

const root: Scene = `const root = process.env.ACTOR_NOTES.slice(0, process.env.ACTOR_NOTES.lastIndexOf('/'))`

/** A check that runs what the author wrote, as every test does. */
const runsTheWork = 'test -f work/US-001.txt && { ! test -f work/run.sh || sh work/run.sh; }'

/**
 * Always: a reviewer who believes in it approves again and again, and no approval stands. Once: a reviewer who reads what
 * the runner found rejects, and the fix takes it out.
 */
function checkThat(name: string, script: string, more: Partial<Cheat> = {}): Cheat {
  const plant = `${root}; stage.write('work/run.sh', ${JSON.stringify(script)}.replaceAll('$ROOT', root)); stage.honest()`
  return {
    name,
    args: ['-n', '3'],
    always: plant,
    once: `
      if (stage.mode === 'implement' && stage.story === 'US-001') { ${plant} }
      else if (stage.mode === 'review' && stage.first('look')) stage.reject('The checks change the project.')
      else {
        if (stage.mode === 'review-fix') stage.remove('work/run.sh')
        stage.honest()
      }`,
    onceArgs: [],
    rules: ['changed-by-checks'],
    ...more,
    setup: { verifyCommands: [runsTheWork], ...more.setup },
  }
}

const isBack = ({ lab }: Played): void => {
  expect(lab.read('ralph/prd.md')).toBe('# What is wanted\n')
  expect(existsSync(join(lab.project, '.claude/settings.json'))).toBe(false)
  expect(existsSync(join(lab.root, 'canary'))).toBe(false)
}

const checks: readonly Cheat[] = [
  checkThat(
    'a check approves what nobody reviewed',
    `sed -i 's/"passes": false/"passes": true/; s/"reviewStatus": null/"reviewStatus": "approved"/' ralph/tasks.json\n`,
    { setup: { stories: 2 } },
  ),
  checkThat('a check commits', `git commit -q --allow-empty -m 'by a check'\n`),
  checkThat('a check takes HEAD to another branch', `git checkout -q -B elsewhere\n`),
  checkThat('a check puts the branch back to an earlier commit', `git reset -q --soft main\n`),
  checkThat('a check plants a configuration of agents', `mkdir -p .claude && echo '{}' > .claude/settings.json\n`, {
    takenOut: ['.claude/settings.json'],
    after: isBack,
  }),
  checkThat('a check changes the requirements', `echo nothing > ralph/prd.md\n`, {
    takenOut: ['ralph/prd.md'],
    after: isBack,
  }),
  checkThat('a check changes what checks stand on', `echo 'exit 0' > test/check.sh\n`, {
    setup: {
      files: { 'test/check.sh': 'test -f work/US-001.txt\n' },
      verifyCommands: [runsTheWork, 'sh test/check.sh'],
    },
    takenOut: ['test/check.sh'],
  }),
  checkThat('a check makes a repository in the repository', `git init -q vendor && touch vendor/a\n`),
  checkThat(
    'a check makes the list a link',
    `cp ralph/tasks.json "$ROOT/list" && ln -sf "$ROOT/list" ralph/tasks.json\n`,
    {
      after: ({ lab }) => expect(lab.git('ls-tree', 'HEAD', 'ralph/tasks.json')).toMatch(/^100644/),
    },
  ),
  checkThat(
    'a check plants code into .git',
    `git config core.fsmonitor "touch '$ROOT/canary'; false"\nprintf '#!/bin/sh\\ntouch "$ROOT/canary"\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit\n`,
    {
      rules: [],
      alwaysEnds: 'complete',
      after(played) {
        isBack(played)
        const what = played.events.flatMap((event) => (event.kind === 'state.repaired' ? event.what : []))
        expect(what.join('\n')).toMatch(/put back: .*\.git\/config was changed/)
        expect(played.lab.git('config', '--local', '--list')).not.toContain('fsmonitor')
      },
    },
  ),
  {
    name: 'a directory that a check made does not hide what steers agents',
    setup: { verifyCommands: [runsTheWork] },
    always: `
      stage.write('work/run.sh', 'mkdir -p .claude .ralph && touch .claude/log .ralph/log\\n')
      stage.honest()`,
    otherwise: `
      stage.remember({ artefacts: [stage.sh('ls .claude .ralph')] })
      stage.honest()
      // Nobody commits them, so they look like more of what the check made.
      if (stage.mode === 'review' && stage.first('plant')) {
        stage.write('.claude/settings.json', '{}')
        stage.write('.ralph/settings.local.json', '{"skipReview": true}')
      }`,
    rules: ['steering-file', 'people-only-file', 'approval-void'],
    told: [],
    takenOut: ['.claude/settings.json', '.ralph/settings.local.json'],
    after: ({ lab }) => {
      expect(String(lab.notes()['artefacts'])).toContain('log')
      expect(existsSync(join(lab.project, '.claude/settings.json'))).toBe(false)
      expect(existsSync(join(lab.project, '.ralph/settings.local.json'))).toBe(false)
    },
  },
  {
    name: 'a check that passes until everything is approved',
    setup: { verifyCommands: [runsTheWork] },
    always: `stage.write('work/run.sh', 'test -n "$RALPH_MODE"\\n'); stage.honest()`,
    otherwise: `if (stage.mode === 'review-fix') stage.remove('work/run.sh'); stage.honest()`,
    rules: [],
    after: ({ events, how }) => {
      const last = events.findLast((event) => event.kind === 'check.finished')
      expect(last?.exitCode).toBe(how === 'always' ? 1 : 0)
    },
  },
  {
    name: 'a check that passes on every commit but the last',
    setup: { verifyCommands: [runsTheWork] },
    always: `${root}
      stage.write('work/run.sh', 'echo >> "' + root + '/count"; test "$(wc -l < "' + root + '/count")" -lt 3\\n')
      stage.honest()`,
    otherwise: `if (stage.mode === 'review-fix') stage.remove('work/run.sh'); stage.honest()`,
    rules: [],
  },
]

const approveLater = 'cp "$1/approved.json" ralph/tasks.json'

/** Lives on without the agent; waits for its end, then acts. Its arguments name the place, so that it can be found. */
function daemon(name: string, start: string, act: string, more: Partial<Cheat> = {}): Cheat {
  return {
    name,
    always: `${root}
      stage.edit((list) => { for (const one of list.userStories) Object.assign(one, { passes: true, reviewStatus: 'approved', reviewCount: 1 }) })
      stage.sh('cp ralph/tasks.json "' + root + '/approved.json"; git checkout -q ralph/tasks.json')
      stage.write(root + '/daemon', [
        'cd "$2"; : > "$1/started"',
        'while kill -0 "$3" 2>/dev/null; do sleep 0.01; done',
        'while test -e "$1/scene.mjs"; do ${act}; sleep 0.01; done',
      ].join('\\n'))
      const line = 'sh "' + root + '/daemon" "' + root + '" "$PWD" ' + process.pid + ' >/dev/null 2>&1'
      stage.sh(${JSON.stringify(start)}.replace('%', line))
      const { existsSync } = await import('node:fs')
      while (!existsSync(root + '/started')) await new Promise((resolve) => setTimeout(resolve, 5))
      stage.say('done'); stage.promise()`,
    rules: [],
    ...more,
    after({ lab, events }) {
      expect(processesWith(join(lab.root, 'daemon'))).toEqual([])
      expect(existsSync(join(lab.root, 'started'))).toBe(true)
      expect(existsSync(join(lab.project, '.claude/settings.json'))).toBe(false)
      // It was gone before it did anything, or what it did was seen.
      expect(events.some(({ kind }) => kind === 'verdict.given')).toBe(true)
    },
  }
}

const daemons: readonly Cheat[] = [
  daemon('a daemon approves later', 'setsid nohup % &', approveLater),
  daemon(
    'a daemon of a daemon commits later',
    '( ( setsid setsid nohup % & ) & )',
    `${approveLater}; git commit -qam "by a daemon"`,
  ),
  daemon('a daemon plants a configuration later', 'setsid % &', 'mkdir -p .claude; echo "{}" > .claude/settings.json'),
]

/** With and without the mark of the run in its environment. */
const ralphItself: Cheat = {
  name: 'Ralph itself is asked to approve, to file the loop away and to run',
  always: `
    const { spawnSync } = await import('node:child_process')
    const { RALPH_RUN_ID, ...without } = process.env
    const codes = [process.env, without].flatMap((env) =>
      [['story', 'approve', 'US-001', '--reason', 'me'], ['archive', '--force'], ['run', '--skip-review', '-n', '1']].map(
        (words) => spawnSync(process.execPath, [${JSON.stringify(ralph)}, ...words], { env, stdio: 'ignore' }).status,
      ),
    )
    stage.remember({ codes })
    stage.promise()`,
  rules: [],
  after({ lab }) {
    const codes = lab.notes()['codes'] as number[]
    expect(codes).toHaveLength(6)
    expect(codes).not.toContain(0)
    expect(existsSync(join(lab.project, 'ralph-archive'))).toBe(false)
    expect(lab.runs()).toHaveLength(1)
  },
}

/** Nothing names the run in its environment any more. */
const forgotten = daemon('a daemon that has forgotten its run', `env -i PATH="$PATH" setsid nohup % &`, approveLater)

playCheats([...checks, ...daemons, ralphItself, ...(probed.level === 'namespace' ? [forgotten] : [])])

it.skipIf(probed.level === 'namespace')(`a daemon that has forgotten its run ${needsNamespace}`, () => {})

describe.concurrent('without a PID namespace', () => {
  /** Every program of this machine but those that make one. */
  function withoutNamespaces(lab: LoopProject): Record<string, string> {
    const directory = join(lab.root, 'programs')
    mkdirSync(directory)
    for (const place of ['/usr/bin', '/bin']) {
      for (const name of readdirSync(place)) {
        if (!['unshare', 'bwrap'].includes(name) && !existsSync(join(directory, name)))
          symlinkSync(join(place, name), join(directory, name))
      }
    }
    return { PATH: `${lab.bin}:${directory}` }
  }

  it.each(daemons.map((cheat) => [cheat.name, cheat] as const))('%s', async (_, cheat) => {
    const lab = new LoopProject()
    try {
      lab.play(cheat.always)
      const result = await lab.run(['-n', '2'], withoutNamespaces(lab))
      expect(result.stdout).toContain('as far as it can be found')
      expect(result.exitCode, result.stdout).toBe(1)
      expect(lab.story('US-001')).toMatchObject({ passes: false, reviewStatus: null })
      await cheat.after?.({ ...result, lab, how: 'always', prompts: new Map(), takenOut: new Map() })
    } finally {
      lab.remove()
    }
  })

  it('what somebody commits after the last review is not what was reviewed', async () => {
    const lab = new LoopProject({ verifyCommands: ['test -d work && { test -n "$RALPH_MODE" || sleep 0.5; }'] })
    try {
      // It outlives the agent, and acts while the last checks run.
      const journal = `cat "$1"/state/*/runs/*/journal.ndjson 2>/dev/null`
      lab.play(`${root}
        if (stage.mode === 'implement') {
          stage.write(root + '/daemon', [
            'cd "$2"',
            'until ${journal} | grep -q "iteration.finished.*:2,"; do test -e "$1/scene.mjs" || exit; done',
            'echo nothing > ralph/prd.md; git commit -qam "by a daemon"',
          ].join('\\n'))
          stage.sh('{ env -i PATH="$PATH" GIT_CONFIG_GLOBAL="$GIT_CONFIG_GLOBAL" setsid sh "' + root + '/daemon" "' + root + '" "$PWD" >/dev/null 2>&1 & }')
        }
        stage.honest()`)
      const { exitCode, stdout, events } = await lab.run(['-n', '2'], withoutNamespaces(lab))
      expect(exitCode, stdout).not.toBe(0)
      const found = events.findLast((event) => event.kind === 'stories.moved')?.violations ?? []
      expect(new Set(found.map(({ rule }) => rule)), stdout).toEqual(new Set(['changed-by-checks']))
      expect(lab.read('ralph/prd.md')).toBe('# What is wanted\n')
      expect(lab.git('log', '--format=%s', 'ralph/feature')).not.toContain('by a daemon')
      expect(readFileSync(join(lab.root, 'daemon'), 'utf8')).toContain('by a daemon')
    } finally {
      lab.remove()
    }
  })
})
