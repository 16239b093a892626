import type { Snapshot, StorySnapshot } from '../model/snapshot.ts'
import type { Story, TaskList } from '../model/story.ts'

/** The state before an agent starts, complete: what the runner judges against. */
export function takeSnapshot(list: TaskList, branch?: string): Snapshot {
  return {
    stories: new Map(list.userStories.map((story) => [story.id, snapshotOf(story)])),
    top: {
      project: list.project,
      branchName: list.branchName,
      protectedPaths: list.protectedPaths ?? [],
      verifyCommands: list.verifyCommands ?? [],
    },
    list,
    ...(branch === undefined ? {} : { branch }),
  }
}

function snapshotOf(story: Story): Required<StorySnapshot> {
  return {
    passes: story.passes,
    reviewStatus: story.reviewStatus,
    reviewCount: story.reviewCount,
    reviewFeedback: story.reviewFeedback,
    title: story.title,
    description: story.description ?? '',
    acceptanceCriteria: story.acceptanceCriteria,
    notes: story.notes ?? '',
    dependsOn: story.dependsOn ?? [],
    splitInto: story.splitInto ?? [],
    blocked: story.blocked ?? '',
    mayChange: story.mayChange ?? [],
    verifyCommands: story.verifyCommands ?? [],
  }
}
