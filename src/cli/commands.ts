import type { CommandSpec } from './command.ts'
import { runOptionTable } from './run-option-table.ts'

/** Every command there is or will be, in the order of the help. The parser, the help and the nearest-name search read this. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    args: ['[task]'],
    summary: 'run the loop here until the work is done and checked',
    example: 'ralph run --max-iterations 20',
    about: [['[task]', 'what to do, in words (not built yet); without it: the stories of ralph/tasks.json']],
    options: runOptionTable,
    load: async () => (await import('./run.ts')).run,
  },
  { name: 'plan', summary: 'write IMPLEMENTATION_PLAN.md from specs and code', example: 'ralph plan' },
  {
    name: 'build',
    summary: 'build every branch of the plan in a worktree of its own',
    example: 'ralph build --jobs 2 --no-pr',
  },
  {
    name: 'supervise',
    args: ['<cmd...>'],
    summary: 'keep any command running until it says it is done',
    example: 'ralph supervise -- npm run worker',
  },
  {
    name: 'init',
    summary: 'create ralph/ from the templates',
    example: 'ralph init --name user-search',
    options: [
      { flags: '--name <feature>', description: 'its branch will be ralph/<feature>' },
      { flags: '--settings', description: 'ask for .ralph/settings.json, too' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
      { flags: '--ralph-dir <path>', description: 'what to create, in the project', default: 'ralph' },
    ],
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'check',
    summary: 'validate prd.md and tasks.json and say what to improve',
    example: 'ralph check',
    options: [
      { flags: '--json', description: 'for programs: one JSON object' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
      { flags: '--ralph-dir <path>', description: 'where prd.md and tasks.json are, in the project', default: 'ralph' },
    ],
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'story',
    args: ['<action>', '<id>'],
    summary: 'approve, reopen or unblock a story by hand',
    example: 'ralph story approve US-002 --reason "tried it on the device"',
    about: [
      ['approve', 'it is done, whatever the reviews say; its checks must still pass'],
      ['reopen', 'it is to be implemented again'],
      ['unblock', 'what it waited for is there'],
      ['<id>', 'of the story, like US-002'],
    ],
    options: [
      { flags: '--reason <text>', description: 'why; it goes into the notes and the commit' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
      { flags: '--ralph-dir <path>', description: 'where tasks.json is, in the project', default: 'ralph' },
    ],
    load: async () => (await import('./story.ts')).story,
  },
  {
    name: 'status',
    summary: 'what runs here, how far it is, what it cost',
    example: 'ralph status --json',
    options: [
      { flags: '--json', description: 'for programs: one JSON object' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
      { flags: '--ralph-dir <path>', description: 'where tasks.json is, in the project, if not where the run has it' },
    ],
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'log',
    summary: 'the journal in words',
    example: 'ralph log --follow',
    options: [
      { flags: '-f, --follow', description: 'go on until the run stops' },
      { flags: '--json', description: 'for programs: one event a line' },
      { flags: '--run <id>', description: 'of this run instead of the last' },
      { flags: '--prompt <n>', description: 'what the agent was told in iteration n' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
    ],
    load: async () => (await import('./log.ts')).log,
  },
  { name: 'report', summary: 'what happened in a run', example: 'ralph report --html report.html' },
  {
    name: 'cancel',
    summary: 'stop the run in this directory',
    example: 'ralph cancel --after-iteration',
    options: [
      { flags: '--after-iteration', description: 'when the iteration that goes on has ended' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
    ],
    load: async () => (await import('./cancel.ts')).cancel,
  },
  {
    name: 'archive',
    summary: 'file the finished loop away',
    example: 'ralph archive --label first-release',
    options: [
      { flags: '--label <text>', description: 'what to call it', defaultText: 'as its branch' },
      { flags: '--force', description: 'also if stories are open or the list is broken' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
      { flags: '--ralph-dir <path>', description: 'where prd.md and tasks.json are, in the project', default: 'ralph' },
    ],
    load: async () => (await import('./archive.ts')).archive,
  },
  {
    name: 'clean',
    summary: 'remove worktrees, sandboxes and old state',
    example: 'ralph clean --sandbox',
    options: [
      { flags: '--worktrees', description: 'of finished branches (not built yet)' },
      { flags: '--sandbox', description: 'the sandboxes of this project' },
      { flags: '--state', description: 'journals, logs and snapshots of every run of this project' },
      { flags: '--force', description: 'the state also if it is damaged, or an iteration was never judged' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
    ],
    load: async () => (await import('./clean.ts')).clean,
  },
  {
    name: 'doctor',
    summary: 'what works on this machine and what to install',
    example: 'ralph doctor --json',
    options: [
      { flags: '--json', description: 'for programs: one JSON object' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'demo',
    summary: 'a whole loop in a scratch project: no account, no network',
    example: 'ralph demo --keep',
    options: [
      { flags: '--dir <path>', description: 'in this directory, new or empty, which is kept; an earlier demo goes on' },
      { flags: '--keep', description: 'keep the scratch project and say where it is' },
      { flags: '--act', description: 'what the loop of a demo starts as its agent: the prompt comes on stdin' },
    ],
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'guard',
    args: ['[cmd]'],
    summary: 'would this command be blocked, and why',
    example: 'ralph guard "rm -rf /" --explain',
    options: [
      { flags: '--json', description: 'for programs: one JSON object' },
      { flags: '--stdin', description: 'one {"cmd":…} a line in, one answer a line out' },
      { flags: '--explain', description: 'also how the command was read' },
      { flags: '--tool <name>', description: 'the tool of Claude Code that --path is for', defaultText: 'Write' },
      { flags: '--path <path>', description: 'the file that the tool would touch' },
      { flags: '-d, --project-dir <path>', description: 'the project', default: '.' },
    ],
    load: async () => (await import('./guard.ts')).guard,
  },
]
