import { unreachable } from '../base/unreachable.ts'
import type { Notice } from '../model/notice.ts'
import type { RunState } from '../model/run-state.ts'
import type { Display, DisplayOptions, RunView } from './display.ts'
import { eventLines } from './event-lines.ts'
import { runnerLine, type Line } from './line.ts'
import { noticeLines, toolLines } from './notice-lines.ts'
import type { Paper } from './paper.ts'
import { statusText } from './status-text.ts'
import { summaryLines } from './summary-lines.ts'
import type { Symbols } from './symbols.ts'
import { openToolCalls } from './tool-calls.ts'

/** Of the calls that were open when the agent ended, the last few are told. */
const maxAbandoned = 3

/** What a run that is shown as text remembers from one line to the next. */
export function openTextDisplay(
  paper: Paper,
  options: DisplayOptions,
  symbols: Symbols,
): Display & { refresh(): void } {
  const { clock, quiet, verbose, streamAgentOutput, project } = options
  const tools = openToolCalls(() => clock.elapsed(), project)
  let run: { readonly state: RunState; readonly view: RunView } | null = null
  /** A resumed run begins in the middle of an iteration, so its start is when it was first seen. */
  let iteration = { sessionId: '', since: 0 }
  let lastTodo = ''
  /** What the agent's end was shown with: the end of its iteration need not say it again. */
  let lastMessage: string | null = null
  let isOver = false

  const isShown = ({ level }: Line): boolean => level === 'quiet' || (!quiet && (level === 'normal' || verbose))
  const status = (): string | null => {
    if (run === null || quiet || isOver) return null
    const iterationMs = clock.elapsed() - iteration.since
    return statusText({ ...run, nowMs: clock.now(), iterationMs, tool: tools.current(), symbols })
  }
  const print = (lines: readonly Line[], time: string | number): void =>
    paper.print(
      lines.filter((line) => isShown(line)),
      time,
      status(),
    )
  const linesOf = (notice: Notice): Line[] => {
    switch (notice.kind) {
      case 'agent.tool.started':
        tools.started(notice)
        return []
      case 'agent.tool.ended':
        return toolLines(tools.ended(notice), verbose)
      case 'agent.todo': {
        // Agents send the list again with every step.
        const todo = JSON.stringify(notice.items)
        const isNew = todo !== lastTodo
        lastTodo = todo
        return isNew ? noticeLines(notice) : []
      }
      case 'agent.ready':
      case 'agent.text':
      case 'agent.remark':
        return noticeLines(notice)
      default:
        return unreachable(notice)
    }
  }

  return {
    event(event, state, view) {
      run = { state, view }
      const sessionId = state.open?.sessionId ?? ''
      if (sessionId !== iteration.sessionId) iteration = { sessionId, since: clock.elapsed() }
      if (event.kind === 'iteration.started') lastTodo = ''
      const left = event.kind === 'agent.finished' ? tools.abandon().slice(-maxAbandoned) : []
      const calls = streamAgentOutput ? left.flatMap((call) => toolLines(call, verbose)) : []
      const isTold = event.kind === 'iteration.finished' && event.error !== null && event.error === lastMessage
      if (event.kind === 'agent.finished') lastMessage = event.message
      const context = { state, view, symbols, tools: event.kind === 'agent.finished' ? tools.takeTally() : null }
      print([...calls, ...eventLines(isTold ? { ...event, error: null } : event, context)], event.at)
    },
    notice(notice) {
      const lines = linesOf(notice)
      print(streamAgentOutput || notice.kind === 'agent.remark' ? lines : [], clock.now())
    },
    remark(text) {
      print(
        text.split('\n').map((line) => runnerLine(line, { indent: 0 })),
        clock.now(),
      )
    },
    summary(summary) {
      isOver = true
      print(summaryLines(summary), clock.now())
    },
    close() {
      isOver = true
      paper.status(null)
    },
    refresh: () => paper.status(status()),
  }
}
