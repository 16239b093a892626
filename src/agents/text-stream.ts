import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { errorLine, lastLine } from './cut-text.ts'
import { endedByRunner, exitPhrase, trouble } from './exit-cause.ts'
import { SpokenTags } from './spoken-tags.ts'

/** Reads a program that just prints: every line is what the assistant says, and exit code 0 is success. */
export class TextReader implements AgentReader {
  readonly #tags = new SpokenTags()
  #spoke = false

  line(bytes: Buffer): readonly Notice[] {
    const text = bytes.toString()
    this.#tags.push(`${text}\n`)
    if (text.trim() !== '') this.#spoke = true
    return [{ kind: 'agent.text', text }]
  }

  isToolOpen(): boolean {
    return false
  }

  mustEnd(): string | null {
    return null
  }

  end(exit: AgentExit): AgentReport {
    const found = { costUsd: null, tokens: null, promises: this.#tags.promises, responses: this.#tags.responses }
    const failure = endedByRunner(exit) ?? failureOf(exit)
    if (failure !== null) return { ...failure, ...found }
    if (!this.#spoke) return { ...trouble('empty', 'printed nothing'), ...found }
    return { outcome: 'succeeded', message: null, fix: null, resetsAt: null, ...found }
  }
}

function failureOf(exit: AgentExit): ReturnType<typeof endedByRunner> {
  if (exit.exitCode === 0 && exit.signal === null) return null
  const reason = errorLine(exit.stderrTail) || lastLine(exit.stderrTail)
  return trouble('failed', reason === '' ? exitPhrase(exit) : `${exitPhrase(exit)}: ${reason}`)
}
