import { unbuiltOptions } from '../settings/not-built.ts'
import type { OptionSpec } from './command.ts'

const table: readonly OptionSpec[] = [
  { flags: '-p, --prompt <text>', description: 'the task' },
  { flags: '-f, --prompt-file <path>', description: 'the task in a file, read again each iteration' },
  { flags: '--spec <path>', description: 'the task as a specification; a task beside it is its title' },
  { flags: '--check <cmd>', description: 'a command that must exit 0; may be given more than once', repeatable: true },
  {
    flags: '-n, --max-iterations <n>',
    description: 'at most so many iterations',
    defaultText: '15',
    aliases: ['--maximum-iterations', '--max'],
  },
  { flags: '--max-cost <usd>', description: 'stop when it has cost so many US dollars' },
  { flags: '--max-tokens <n>', description: 'stop when it has used so many tokens' },
  { flags: '--max-time <duration>', description: 'stop after 90, 90s, 10m or 2h; waits count' },
  { flags: '--iteration-timeout <duration>', description: 'for one start of the agent', defaultText: '60m' },
  { flags: '--silence-timeout <duration>', description: 'no output while no tool call is open', defaultText: '15m' },
  { flags: '--check-timeout <duration>', description: 'for one check', defaultText: '10m' },
  { flags: '--idle-threshold <n>', description: 'stop after so many iterations without change', defaultText: '2' },
  { flags: '--max-consecutive-errors <n>', description: 'stop after so many errors in a row', defaultText: '3' },
  { flags: '--max-wait <duration>', description: 'for one usage limit to reset; 0 stops at once', defaultText: '6h' },
  { flags: '--completion-tag <text>', description: 'in <promise>…</promise>: all is done', defaultText: 'COMPLETE' },
  { flags: '--completion-response <text>', description: 'the same in <response>…</response>', defaultText: 'DONE' },
  { flags: '--done-file <path>', description: 'the same as a file that is there' },
  // The scripted agent is the demo's; nobody else needs it.
  {
    flags: '-a, --agent <name>',
    description: 'claude codex amp gemini opencode qwen copilot cursor pi droid custom',
    defaultText: 'claude',
  },
  { flags: '-m, --model <model>', description: "the agent's model" },
  { flags: '--agent-arg <arg>', description: 'one more argument for the agent; repeatable', repeatable: true },
  { flags: '--review-agent <name>', description: 'who reviews', defaultText: 'as the author' },
  { flags: '--review-model <model>', description: "the reviewer's model", defaultText: 'as the author' },
  { flags: '--skip-review', description: 'nobody reviews: ends with concerns' },
  { flags: '--review-cap <n>', description: 'how many reviews a story may get', defaultText: '5' },
  { flags: '--at-review-cap <what>', description: 'approve or stop', defaultText: 'approve' },
  { flags: '--story <id>', description: 'only this story and its parts' },
  { flags: '--sandbox', description: 'only in a box; without one it does not start' },
  { flags: '--no-sandbox', description: 'directly on this machine' },
  { flags: '--isolation <name>', description: 'auto, sbx, docker-sandbox, os or none', defaultText: 'auto' },
  { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
  { flags: '--ralph-dir <path>', description: 'where prd.md and tasks.json are, in the project', defaultText: 'ralph' },
  { flags: '--worktree', description: 'in a git worktree of its own' },
  { flags: '--worktree-name <name>', description: 'and its name' },
  { flags: '--no-branch', description: 'stay on the branch that is checked out' },
  { flags: '--allow-dirty', description: 'start beside uncommitted changes; they are left out of every judgement' },
  { flags: '--push', description: 'push the branch at the end' },
  { flags: '--pr', description: 'and open a pull request' },
  { flags: '-c, --config <path>', description: 'the settings', defaultText: '.ralph/settings.json' },
  { flags: '--output <format>', description: 'pretty, plain or json', defaultText: 'pretty on a terminal, else plain' },
  { flags: '-q, --quiet', description: 'only results and trouble' },
  { flags: '--stream-agent-output', description: 'show what the agent writes', defaultText: 'on' },
  { flags: '--no-stream-agent-output', description: 'do not show it' },
  { flags: '--no-emoji', description: 'only letters and signs' },
  { flags: '--detach', description: 'in the background; prints the run id' },
  { flags: '--strict', description: 'done with concerns is exit 4' },
  { flags: '--fresh', description: 'start anew instead of resuming an interrupted run' },
  { flags: '--dry-run', description: 'say what would be run, with the first prompt, and stop' },
]

const unbuilt = new Set(Object.values(unbuiltOptions))

function withMark(spec: OptionSpec): OptionSpec {
  const isUnbuilt = spec.flags.split(' ').some((word) => unbuilt.has(word))
  return isUnbuilt ? { ...spec, description: `${spec.description} (not built yet)` } : spec
}

/**
 * Every option of `ralph run`, in the order of the help. None of the run's own has a default of the parser's: what was not
 * given comes from the environment and the settings. `src/settings/resolve-options.ts` knows what the values mean.
 */
export const runOptionTable: readonly OptionSpec[] = table.map(withMark)
