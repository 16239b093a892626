/** What a run fixes for all its iterations, and the runner knows of this one. */
export interface Rules {
  readonly skipReview: boolean
  readonly reviewCap: number
  /** The story of the iteration; undefined where an old marker does not say. */
  readonly story?: string | null
  /** Whether the agent's run succeeded: an approval counts only then. The hook, inside the run, says true. */
  readonly agentSucceeded: boolean
  /** Where prd.md, prompt.md, tasks.json and progress.txt are, relative to the project. */
  readonly ralphDir: string
  /** Whether the checks stand on this path, so that this iteration may not change it. */
  readonly protects: (path: string) => boolean
  /** The scripts of package.json that this iteration may not change, with their values when the run started. */
  readonly protectedScripts: ReadonlyMap<string, string>
}

export const defaultReviewCap = 5
