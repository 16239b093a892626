let path: string | null = null

/** The journal of the run in this process: whoever reports a bug of ours names it. */
export const journalInUse = (): string | null => path

export function rememberJournal(journal: string): void {
  path = journal
}
