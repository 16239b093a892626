import type { ReviewFields } from '../model/story.ts'

/** One thing that the scripted agent does; `act` really does it and prints it as an agent prints its tool calls. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  /** `node` or `git` with these arguments. It may fail: the scene decides what that means. */
  | { readonly kind: 'run'; readonly program: 'node' | 'git'; readonly args: readonly string[] }
  /** Changes fields of one story in tasks.json; `notes` are appended to those that are there. */
  | {
      readonly kind: 'edit-story'
      readonly story: string
      readonly fields: Partial<ReviewFields>
      readonly notes?: string
    }
  /** One more entry at the end of progress.txt. */
  | { readonly kind: 'note'; readonly text: string }
  /** Everything that there is, if there is anything. */
  | { readonly kind: 'commit'; readonly message: string }

/** What came of a step: the text of a file that was read, the output of a program. */
export interface StepResult {
  readonly ok: boolean
  readonly text: string
}

/** A scene asks for steps one by one, and learns of each what came of it. */
export type Scene = Generator<Step, void, StepResult>
