import { visibleLine } from '../base/visible.ts'
import type { Story, TaskList } from '../model/story.ts'
import { isDone } from '../tasks/select-story.ts'

export interface ArchivedLoop {
  /** null: the list could not be read. */
  readonly list: TaskList | null
  /** The text of progress.txt, where the day of the start stands. */
  readonly progress: string
  /** `2026-01-31`. */
  readonly date: string
}

/** summary.md of an archived loop. */
export function archiveSummary({ list, progress, date }: ArchivedLoop): string {
  const started = /^Started: *(\S.*)$/m.exec(progress)?.[1]
  const from = started === undefined ? 'unknown' : visibleLine(started.trim(), 40)
  if (list === null) {
    return ['# Archived loop', '', `- Dates: ${from} to ${date}`, '- The task list could not be read.', ''].join('\n')
  }
  const done = list.userStories.filter((story) => isDone(story, true)).length
  return [
    `# ${cell(list.project === '' ? list.branchName : list.project)}`,
    '',
    `- Branch: ${list.branchName}`,
    `- Dates: ${from} to ${date}`,
    `- Stories: ${done} of ${list.userStories.length} completed`,
    '',
    '| story | title | state | reviews |',
    '|---|---|---|---|',
    ...list.userStories.map(
      (story) => `| ${story.id} | ${cell(story.title)} | ${stateOf(story)} | ${story.reviewCount} |`,
    ),
    '',
  ].join('\n')
}

function stateOf(story: Story): string {
  if (isDone(story, false)) return 'approved'
  if (story.passes) return 'passed without review'
  if ((story.blocked ?? '') !== '') return 'blocked'
  return story.reviewStatus === null ? 'open' : story.reviewStatus.replace('_', ' ')
}

/** Text of an agent on one line of a table, without markup that it could bring along. */
const cell = (text: string): string => visibleLine(text, 100).replaceAll(/[\\|<>`[\]*_]/g, (sign) => `\\${sign}`)
