/** Trouble that can be expected. Every member says when it occurs; `describeFailure` alone turns one into words. */
export type Failure =
  /** A command line that means nothing: unknown command, option, pair of options, value. */
  | { readonly reason: 'usage'; readonly message: string; readonly fix: string }
  /** A command that is planned and not built yet. */
  | { readonly reason: 'not-built-yet'; readonly command: string }
  /** tasks.json breaks the schema or an invariant; all problems at once. */
  | { readonly reason: 'invalid-tasks'; readonly path: string; readonly problems: readonly string[] }
  /** A settings file breaks its schema; all problems at once. */
  | { readonly reason: 'invalid-settings'; readonly path: string; readonly problems: readonly string[] }
  /** A file in the project is a link, a FIFO, a directory, too large, or under a linked directory. */
  | { readonly reason: 'unsafe-file'; readonly path: string; readonly why: string }
  /** A file that must be there is not. */
  | { readonly reason: 'missing-file'; readonly path: string; readonly fix: string }
  /** The disk said no: full, read-only, broken. */
  | { readonly reason: 'storage'; readonly doing: string; readonly path: string; readonly code: string }
  /** A journal line in the middle does not hold; nothing is overwritten. */
  | { readonly reason: 'journal-damaged'; readonly path: string; readonly line: number; readonly why: string }
  /** Another runner holds this project, or the lock cannot be judged (another host, unreadable). */
  | { readonly reason: 'locked'; readonly path: string; readonly holder: string; readonly fix: string }
  /** No work tree, no commit, or a merge or rebase is open. */
  | { readonly reason: 'not-a-repository'; readonly why: string; readonly fix: string }
  /** The branch of the task list cannot be switched to or made; nothing has changed. */
  | { readonly reason: 'cannot-switch'; readonly branch: string; readonly why: string; readonly fix: string }
  /** The project may not be judged: it is $HOME or /, or contains the state directory. */
  | { readonly reason: 'unsafe-project'; readonly path: string; readonly why: string }
  /** The project's .git was changed into something that must not be read: links, foreign object stores. */
  | {
      readonly reason: 'unsafe-git-directory'
      readonly path: string
      readonly why: string
      /** A repository of ours that has the commits of the run; null where there is none yet. */
      readonly kept: string | null
    }
  /** A git command of the referee failed. */
  | { readonly reason: 'git-failed'; readonly doing: string; readonly exitCode: number | null; readonly stderr: string }
  /** A program is not on PATH outside the project. */
  | { readonly reason: 'program-not-found'; readonly program: string; readonly fix: string }
  /** A program that was found could not be started. */
  | { readonly reason: 'cannot-start'; readonly program: string; readonly code: string }
  /** A box was asked for and there is none, or not that one. */
  | { readonly reason: 'isolation-unavailable'; readonly why: string; readonly fix: string }
  /** An agent that will not run as root was to be started directly as root. */
  | { readonly reason: 'agent-refuses-root'; readonly agent: string }
  /** A version of an agent that is known not to work here; `why` is a phrase. */
  | { readonly reason: 'agent-bad-version'; readonly agent: string; readonly version: string; readonly why: string }
