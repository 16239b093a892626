import type { Story, TaskList } from '../model/story.ts'

/** A person's own moves, between runs. */
export type HandMove = 'approve' | 'reopen' | 'unblock'

export const handMoves: readonly HandMove[] = ['approve', 'reopen', 'unblock']

/** How each is told afterwards. */
export const handMoveWords: Readonly<Record<HandMove, string>> = {
  approve: 'Approved',
  reopen: 'Reopened',
  unblock: 'Unblocked',
}

/** The list with one story moved and `note` in its notes; null if the story is there already. */
export function moveByHand(list: TaskList, id: string, move: HandMove, note: string): TaskList | null {
  const story = list.userStories.find((story) => story.id === id)
  if (story === undefined || isThere(story, move)) return null
  const { blocked: _, ...unblocked } = story
  const moved: Story = {
    // Whoever approves a story has done what it waited for.
    ...(move === 'reopen' ? story : unblocked),
    ...fields[move],
    notes: [story.notes ?? '', note].filter((text) => text.trim() !== '').join('\n'),
  }
  return { ...list, userStories: list.userStories.map((other) => (other === story ? moved : other)) }
}

/** The feedback of an approved story stays: it is what its reviewers said. */
const fields: Readonly<Record<HandMove, Partial<Story>>> = {
  approve: { passes: true, reviewStatus: 'approved' },
  reopen: { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' },
  unblock: {},
}

function isThere(story: Story, move: HandMove): boolean {
  const isBlocked = (story.blocked ?? '').trim() !== ''
  if (move === 'unblock') return !isBlocked
  return (
    Object.entries(fields[move]).every(([field, value]) => story[field] === value) && !(move === 'approve' && isBlocked)
  )
}
