import { join } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import type { Referee } from '../git/referee.ts'
import type { Failure } from '../model/failure.ts'
import type { IterationMode } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { replaceFile } from '../store/replace-file.ts'

/** Where a project writes down what its agents should know; rules in `.claude/rules/` come after them. */
const instructionFiles = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md']
const isRule = (path: string): boolean => path.startsWith('.claude/rules/') && path.endsWith('.md')

export interface Instructions {
  /** Writes what this iteration's agent is told. */
  place(mode: IterationMode): Promise<Result<void, Failure>>
  /** The file for such an iteration, once it is placed. */
  file(mode: IterationMode | null): string
}

/**
 * Agents are started without the project's own sources, since those are in the hands of the agent before. What the project
 * tells its agents comes from here: authors get it as it is now, the reviewer as it was when the run started.
 */
export function projectInstructions({
  referee,
  project,
  directory,
  redact,
}: {
  readonly referee: Referee
  readonly project: string
  readonly directory: string
  /** Takes the user's keys out. */
  readonly redact: (text: string) => string
}): Instructions {
  const authors = join(directory, 'instructions.md')
  const reviewers = join(directory, 'instructions-for-review.md')
  const { commit } = referee.baseline
  let rules: readonly string[] | null = null
  /** What each file holds: nothing is written twice. */
  const written = new Map<string, string>()

  /** Rules are known by their names at the start: new ones reach agents with the next run. */
  async function names(): Promise<Result<readonly string[], Failure>> {
    if (rules === null) {
      const files = await referee.listFiles(commit)
      if (!files.ok) return files
      rules = files.value.filter(isRule)
    }
    return ok([...instructionFiles, ...rules])
  }

  async function textOfTheStart(paths: readonly string[]): Promise<Result<string, Failure>> {
    const parts: Part[] = []
    for (const path of paths) {
      const bytes = await referee.read(commit, path)
      if (!bytes.ok) return bytes
      if (bytes.value !== null) parts.push({ path, text: bytes.value.toString('utf8') })
    }
    return ok(joined(parts))
  }

  function textOfNow(paths: readonly string[]): Result<string, Failure> {
    const parts = paths.flatMap((path) => {
      const seen = readSmall(project, path)
      return seen.kind === 'text' ? [{ path, text: seen.text }] : []
    })
    return ok(joined(parts))
  }

  const file = (mode: IterationMode | null): string => (mode === 'review' ? reviewers : authors)
  return {
    file,
    async place(mode) {
      const path = file(mode)
      if (mode === 'review' && written.has(path)) return ok(undefined)
      const paths = await names()
      if (!paths.ok) return paths
      const text = mode === 'review' ? await textOfTheStart(paths.value) : textOfNow(paths.value)
      if (!text.ok) return text
      const told = redact(text.value)
      if (written.get(path) === told) return ok(undefined)
      const done = replaceFile(path, Buffer.from(told))
      if (done.ok) written.set(path, told)
      return done
    },
  }
}

interface Part {
  readonly path: string
  readonly text: string
}

const joined = (parts: readonly Part[]): string =>
  parts.map(({ path, text }) => `# Instructions of this project, from ${path}\n\n${text.trim()}\n`).join('\n')
