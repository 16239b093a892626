import type { PromptContext } from './prompt-context.ts'

/**
 * The rows of "What an iteration may change" that hold for this mode, with the very values of this story, so that an
 * agent gets it right the first time. The runner adds it whatever the template says: without it an honest agent breaks
 * rules that it was never told.
 */
export function legalEdits(context: PromptContext): string {
  const title = `## What may change in \`${context.ralphDir}/tasks.json\``
  const parts =
    context.mode === 'review' ? verdict(context) : [...whenDone(context), ...waysOut(context), besides, never(context)]
  return [title, ...parts].join('\n\n')
}

type Row = readonly [string, string, string]

const table = (...rows: readonly Row[]): string => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const rule: Row = ['---', '---', '---']
const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

function whenDone(context: PromptContext): string[] {
  const { id } = context.story
  return [
    `**${id} is done**: every criterion is met and every check passes. Then set in its entry, and in no other:`,
    table(['field', 'now', 'set it to'], rule, ...submission(context), [
      '`notes`',
      'what is there stays',
      'append what you did, why, and what the next iteration must know',
    ]),
    `**${id} is not done**: append to \`notes\` what is done and what is left, and leave the other fields of the table. ` +
      'The next iteration goes on from there.',
  ]
}

function submission({ mode, story, skipReview }: PromptContext): Row[] {
  const passes = code(story.passes)
  const reviewStatus = code(story.reviewStatus)
  const count: Row = ['`reviewCount`', code(story.reviewCount), 'leave it']
  if (mode === 'review-fix') {
    return [
      ['`reviewStatus`', reviewStatus, code('needs_review')],
      ['`reviewFeedback`', 'the findings', code('')],
      ['`passes`', passes, 'leave it: only a review sets it'],
      count,
    ]
  }
  const feedback: Row = ['`reviewFeedback`', story.reviewFeedback === '' ? code('') : 'as it is', 'leave it']
  return skipReview
    ? [['`passes`', passes, code(true)], ['`reviewStatus`', reviewStatus, 'leave it'], count, feedback]
    : [
        ['`reviewStatus`', reviewStatus, code('needs_review')],
        ['`passes`', passes, 'leave it: only a review sets it'],
        count,
        feedback,
      ]
}

function waysOut({ story, skipReview }: PromptContext): string[] {
  const { id } = story
  const split =
    `**${id} is too large for one iteration**: add new stories whose \`acceptanceCriteria\` together repeat every ` +
    `criterion of ${id} word for word, and set \`splitInto\` of ${id} to the list of their ids. Leave its other fields; ` +
    (skipReview
      ? 'the next iterations build the parts, and then it is its turn again.'
      : 'when its parts are approved it is reviewed itself. One part, if you finish it now, may be born with `"reviewStatus": "needs_review"`.')
  const blocked =
    `**Only a person can go on** (a missing key, criteria that contradict each other, a protected file in the way): set ` +
    `\`blocked\` of ${id} to one sentence that says what they must do, and leave its other fields.`
  return (story.splitInto ?? []).length === 0 ? [split, blocked] : [blocked]
}

const newStory =
  '`{"id": "US-…", "title": "…", "description": "…", "acceptanceCriteria": ["…"], "priority": 9, "passes": false, ' +
  '"reviewStatus": null, "reviewCount": 0, "reviewFeedback": "", "notes": "", "dependsOn": []}`'

const besides = [
  'Allowed besides:',
  '',
  `- a new story, born clean: ${newStory}`,
  '- `priority`, the order of the stories, `dependsOn` (ids that exist, no circle)',
  '- more commands at the end of `verifyCommands`, of the list or of a story; those that are there stay as they are, and an iteration adds at most 50',
].join('\n')

const never = ({ ralphDir }: PromptContext): string =>
  [
    'Never:',
    '',
    '- `id`, `title`, `description`, `acceptanceCriteria` of a story that exists; deleting a story; shortening `notes`',
    '- `project`, `branchName`, `protectedPaths`, `mayChange`',
    `- \`${ralphDir}/tasks.json\` in another format: it stays JSON, indented by two spaces`,
  ].join('\n')

function verdict({ story }: PromptContext): string[] {
  const count = `${code(story.reviewCount)} → ${code(story.reviewCount + 1)}`
  const status = (to: string) => `${code(story.reviewStatus)} → ${code(to)}`
  return [
    `Exactly one verdict, on ${story.id}, with exactly these values:`,
    table(
      ['field', 'to approve', 'to request changes'],
      rule,
      ['`reviewStatus`', status('approved'), status('changes_requested')],
      ['`passes`', `${code(story.passes)} → ${code(true)}`, `stays ${code(false)}`],
      ['`reviewCount`', count, count],
      ['`reviewFeedback`', `${code('')}, or remarks`, 'required: every finding, where it is, how to see it'],
      ['`notes`', 'if empty, one sentence on what was built; else leave it', 'leave it'],
    ),
    `Leave every other field of it, and the review fields of every other story. Something worth doing that these ` +
      `criteria do not ask for can become a new story: ${newStory}`,
  ]
}
