import type { Notice } from '../model/notice.ts'
import { unreachable } from '../base/unreachable.ts'
import { formatTook } from './format-amounts.ts'
import { agentLine, type Line } from './line.ts'
import type { Mark } from './symbols.ts'
import type { ToolCall } from './tool-calls.ts'

/** What an agent does, but for its tool calls, which are shown when they are over. */
export function noticeLines(notice: Exclude<Notice, { kind: 'agent.tool.started' | 'agent.tool.ended' }>): Line[] {
  switch (notice.kind) {
    case 'agent.ready': {
      const facts = [notice.version, notice.model].filter((fact) => fact !== null)
      return [agentLine(['ready', ...facts].join(' '), { level: 'verbose', tone: 'dim' })]
    }
    case 'agent.text':
      return textLines(notice.text).map((text) => agentLine(text, { tone: 'dim' }))
    case 'agent.todo':
      return todoLines(notice)
    case 'agent.remark':
      return textLines(notice.text).map((text) => agentLine(text, { mark: 'attention', tone: 'dim' }))
    default:
      return unreachable(notice)
  }
}

/** How much of what a tool said is shown where it failed: the end, where the error stands. */
const maxOutputLines = 5

/** One line a tool call; its output only if it failed, or everything is wanted. */
export function toolLines({ verb, target, ok, tookMs, output }: ToolCall, verbose: boolean): Line[] {
  const took = tookMs === null ? '' : formatTook(tookMs)
  const call = agentLine(`${verb} ${target}`.trim(), {
    mark: ok === true ? 'ok' : 'fail',
    tail: ok === null ? `did not end (${took})` : took,
    fit: 'cut',
  })
  if (ok === true && !verbose) return [call]
  const lines = textLines(output)
  const left = verbose ? 0 : Math.max(0, lines.length - maxOutputLines)
  const said = left === 0 ? lines : [`(${left} lines before)`, ...lines.slice(left)]
  return [call, ...said.map((text) => agentLine(text, { indent: 8, tone: 'dim', fit: 'cut' }))]
}

function todoLines({ items }: Extract<Notice, { kind: 'agent.todo' }>): Line[] {
  if (items.length === 0) return []
  const done = items.filter(({ state }) => state === 'completed').length
  const now = items.find(({ state }) => state === 'in_progress')
  const compact = `todo ${done}/${items.length}${now === undefined ? '' : `, now: ${now.text}`}`
  return [
    agentLine(compact, { tone: 'dim', fit: 'cut' }),
    ...items.map(({ text, state }) =>
      agentLine(text, { level: 'verbose', indent: 6, mark: todoMarks[state], tone: 'dim', fit: 'cut' }),
    ),
  ]
}

const todoMarks: Readonly<Record<'pending' | 'in_progress' | 'completed', Mark>> = {
  pending: 'open',
  in_progress: 'attention',
  completed: 'ok',
}

/** The lines of a text without blank ones at its ends and with at most one between others. */
function textLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const isBlank = (index: number) => (lines[index] ?? '') === ''
  let last = lines.length
  while (last > 0 && isBlank(last - 1)) last--
  let first = 0
  while (first < last && isBlank(first)) first++
  return lines.slice(first, last).filter((line, index) => line !== '' || !isBlank(first + index - 1))
}
