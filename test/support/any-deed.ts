import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Story, TaskList } from '../../src/model/story.ts'
import type { LoopProject } from './loop-project.ts'

/** One thing that an agent, or a check that runs its code, does to a project. */
export type Deed =
  | { readonly do: 'fields'; readonly at: number; readonly fields: Partial<Story> }
  | { readonly do: 'verdict'; readonly at: number; readonly to: 'approved' | 'changes_requested' }
  | { readonly do: 'text'; readonly at: number; readonly field: 'title' | 'notes' | 'acceptanceCriteria' }
  | { readonly do: 'add'; readonly fields: Partial<Story> }
  | { readonly do: 'split'; readonly at: number; readonly whole: boolean; readonly submitted: boolean }
  | { readonly do: 'block' | 'unblock' | 'delete' | 'twice'; readonly at: number }
  | { readonly do: 'depend'; readonly at: number; readonly on: number }
  | { readonly do: 'reverse' | 'approve all' }
  | { readonly do: 'command'; readonly at: number; readonly command: string; readonly replaces: boolean }
  | { readonly do: 'list'; readonly becomes: 'gone' | 'broken' | 'a link' | 'a directory' }
  | { readonly do: 'write'; readonly path: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'git'; readonly args: readonly string[] }

/** Whoever finds this file in a project finds the checks failing. */
export const broken = 'work/broken'
/** What people wrote, and nobody else may. */
export const ofPeople = ['ralph/prd.md', 'ralph/prompt.md', '.ralph/settings.json', '.claude/settings.json', 'kept.txt']

const paths = [
  broken,
  'src/a.txt',
  'src/new.txt',
  'made/a.txt',
  'made/b.txt',
  '.mcp.json',
  '.gitignore',
  'CLAUDE.md',
  '.ralph-active',
  'ralph/progress.txt',
  ...ofPeople,
]

const gitWords = [
  ['add', '-A'],
  ['commit', '-q', '-a', '--allow-empty', '-m', 'more'],
  ['commit', '-q', '--amend', '--allow-empty', '-m', 'other'],
  ['reset', '-q', '--hard', 'HEAD~1'],
  ['reset', '-q', '--hard', 'main'],
  ['checkout', '-q', '-f', '--detach'],
  ['checkout', '-q', '-f', '-b', 'elsewhere'],
  ['checkout', '-q', '-f', 'main'],
  ['branch', '-q', '-f', 'ralph/feature', 'main'],
  ['update-index', '--add', '--cacheinfo', '160000,0123456789012345678901234567890123456789,inner'],
  ['config', 'core.hooksPath', 'hooks'],
]

const at = fc.nat({ max: 3 })
const reviewFields = fc.record(
  {
    passes: fc.boolean(),
    reviewStatus: fc.constantFrom(null, 'needs_review' as const, 'changes_requested' as const, 'approved' as const),
    reviewCount: fc.nat({ max: 3 }),
    reviewFeedback: fc.constantFrom('', 'Better.', '[AUTO-APPROVED AT CAP] no'),
  },
  { requiredKeys: [] },
)

export const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('fields' as const), at, fields: reviewFields }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('verdict' as const),
      at,
      to: fc.constantFrom('approved' as const, 'changes_requested' as const),
    }),
  },
  fc.record({
    do: fc.constant('text' as const),
    at,
    field: fc.constantFrom('title' as const, 'notes' as const, 'acceptanceCriteria' as const),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), fields: reviewFields }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('split' as const), at, whole: fc.boolean(), submitted: fc.boolean() }),
  },
  fc.record({
    do: fc.constantFrom('block' as const, 'unblock' as const, 'delete' as const, 'twice' as const),
    at,
  }),
  fc.record({ do: fc.constant('depend' as const), at, on: at }),
  fc.record({ do: fc.constantFrom('reverse' as const, 'approve all' as const) }),
  fc.record({
    do: fc.constant('command' as const),
    at,
    command: fc.constantFrom('added', 'mends'),
    replaces: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('list' as const),
    becomes: fc.constantFrom('gone' as const, 'broken' as const, 'a link' as const, 'a directory' as const),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), path: fc.constantFrom(...paths) }) },
  fc.record({ do: fc.constant('remove' as const), path: fc.constantFrom(...paths) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('git' as const), args: fc.constantFrom(...gitWords) }) },
)

/** Does it, as far as it can be done in a project that others have been in before. */
export function perform(lab: LoopProject, deed: Deed): void {
  tryIt(() => {
    if (deed.do === 'list') return changeList(lab, deed.becomes)
    if (deed.do === 'write') return void lab.write(deed.path, `by an agent, ${Math.floor(performance.now())}\n`)
    if (deed.do === 'remove') return rmSync(join(lab.project, deed.path), { recursive: true, force: true })
    if (deed.do === 'git') return void lab.git(...deed.args)
    const list = lab.list()
    edit(list, deed)
    lab.write('ralph/tasks.json', `${JSON.stringify(list, null, 2)}\n`)
  })
}

type Edit = Exclude<Deed, { do: 'list' | 'write' | 'remove' | 'git' }>

function edit(list: TaskList, deed: Edit): void {
  const stories = list.userStories
  const one = stories['at' in deed ? deed.at % stories.length : 0]
  if (one === undefined) return
  const id = `N-${stories.length + 1}`
  const clean = { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' }
  const born = { ...one, ...clean, id, title: 'new', notes: '', dependsOn: [] }
  for (const field of ['splitInto', 'blocked', 'verifyCommands']) Reflect.deleteProperty(born, field)
  switch (deed.do) {
    case 'fields':
      return void Object.assign(one, deed.fields)
    case 'verdict':
      return void Object.assign(one, {
        reviewStatus: deed.to,
        passes: deed.to === 'approved',
        reviewCount: one.reviewCount + 1,
        reviewFeedback: deed.to === 'approved' ? '' : 'Better.',
      })
    case 'text':
      if (deed.field === 'notes') return void Object.assign(one, { notes: `${one.notes ?? ''}more` })
      return void Object.assign(one, { [deed.field]: deed.field === 'title' ? 'easier' : ['easier'] })
    case 'add':
      return void stories.push({ ...born, ...deed.fields })
    case 'split':
      stories.push({
        ...born,
        ...(deed.whole ? {} : { acceptanceCriteria: ['easier'] }),
        ...(deed.submitted ? { reviewStatus: 'needs_review' as const } : {}),
      })
      return void Object.assign(one, { splitInto: [id] })
    case 'block':
      return void Object.assign(one, { blocked: 'Somebody must do it.' })
    case 'unblock':
      return void Reflect.deleteProperty(one, 'blocked')
    case 'delete':
      return void stories.splice(stories.indexOf(one), 1)
    case 'twice':
      return void stories.push({ ...one })
    case 'depend':
      return void Object.assign(one, { dependsOn: [stories[deed.on % stories.length]?.id] })
    case 'reverse':
      return void stories.splice(0, stories.length, ...stories.toReversed())
    case 'approve all':
      for (const story of stories) Object.assign(story, { passes: true, reviewStatus: 'approved', reviewCount: 1 })
      return
    case 'command': {
      const added = deed.replaces ? [deed.command] : [...(one.verifyCommands ?? []), deed.command]
      return void Object.assign(deed.at === 0 ? list : one, { verifyCommands: added })
    }
  }
}

function changeList(lab: LoopProject, becomes: Extract<Deed, { do: 'list' }>['becomes']): void {
  const path = join(lab.project, 'ralph/tasks.json')
  if (becomes === 'broken' && existsSync(path)) return void lab.write('ralph/tasks.json', '{"half')
  rmSync(path, { recursive: true, force: true })
  if (becomes === 'a link') symlinkSync('/etc/hostname', path)
  if (becomes === 'a directory') mkdirSync(path)
}

/** An agent whose edit does not work out goes on with the next. */
function tryIt(deed: () => void): void {
  try {
    deed()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
