import { resolve } from 'node:path'
import { isObject, parseJson, type JsonObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleJson, visibleLine } from '../base/visible.ts'
import { activeRules } from '../guard/active-rules.ts'
import { decideSafely, type Decision } from '../guard/decide.ts'
import { explain } from '../guard/explain.ts'
import { readToolCall } from '../guard/tool-call.ts'
import type { Failure } from '../model/failure.ts'
import { LineSplitter, type Line } from '../process/line-splitter.ts'
import { resolveOptions } from '../settings/resolve-options.ts'
import type { Input, RunCommand } from './command.ts'
import { guardPlace } from './guard-place.ts'
import { loadSettings } from './load-settings.ts'

/** Would an agent of a loop be denied this? Nothing is run. Exit code 0: no; 1: yes. */
export const guard: RunCommand = async (input) => {
  const { args, options, output } = input
  const [command] = args
  const isStdin = options['stdin'] === true
  const path = options['path']
  const given = [command !== undefined, isStdin, typeof path === 'string'].filter(Boolean).length
  if (given !== 1) return err(usage)
  const judge = judgeIn(input)
  if (!judge.ok) return judge
  if (isStdin) {
    await answerLines((line) => output.line(forPrograms(judge.value.answer(callOfLine(line)))))
    return ok(0)
  }
  const tool = String(options['tool'] ?? (command === undefined ? 'Write' : 'Bash'))
  const field = tool.startsWith('Notebook') ? 'notebook_path' : tool === 'Grep' ? 'path' : 'file_path'
  const call = { tool_name: tool, tool_input: command === undefined ? { [field]: String(path) } : { command } }
  if (readToolCall(call).kind === 'other') {
    const fix = 'There are Bash, Write, Edit, MultiEdit, NotebookEdit, Read and Grep.'
    return err({ reason: 'usage', message: `The guard looks at no tool "${visibleLine(tool, 40)}".`, fix })
  }
  const decision = judge.value.answer(call)
  if (options['explain'] === true && command !== undefined) {
    for (const line of explain(command, judge.value.place)) output.remark(line)
  }
  output.line(options['json'] === true ? forPrograms(decision) : forPeople(decision))
  return ok(decision.decision === 'allow' ? 0 : 1)
}

const usage: Failure = {
  reason: 'usage',
  message: 'guard takes one of: a command, --path, --stdin.',
  fix: 'For example: ralph guard "rm -rf /"',
}

/** The settings of the project say which rules are lifted, as they do in a run. */
function judgeIn({
  options,
  cwd,
  env,
}: Input): Result<
  { readonly answer: (call: JsonObject) => Decision; readonly place: ReturnType<typeof guardPlace> },
  Failure
> {
  const directory = resolve(cwd, String(options['projectDir'] ?? '.'))
  const place = guardPlace(directory, env, 'ralph')
  const found = loadSettings(place.projects[0] ?? place.cwd, { cwd })
  if (!found.ok) return found
  const resolved = resolveOptions({ flags: {}, args: [], env: {}, ralphDir: 'ralph', ...found.value })
  if (!resolved.ok) return resolved
  const active = activeRules({ isolation: 'none', allow: resolved.value.options.guardAllow })
  return ok({ place, answer: (call) => decideSafely(readToolCall(call), place, active) })
}

/** As they come, so that who asks can wait for each answer. */
async function answerLines(answer: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter()
  const take = ({ bytes, droppedBytes }: Line): void => {
    if (bytes.length > 0 || droppedBytes > 0) answer(bytes.toString())
  }
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) for (const line of splitter.push(chunk)) take(line)
  const last = splitter.end()
  if (last !== null) take(last)
}

/** A line that is no such object is a call that nobody can read, and has its answer too. */
function callOfLine(line: string): JsonObject {
  const json = parseJson(line)
  const object = json.ok && isObject(json.value) ? json.value : {}
  return { tool_name: 'Bash', tool_input: { command: object['cmd'] ?? null } }
}

function forPrograms(decision: Decision): string {
  const { rule, category, reason } =
    decision.decision === 'allow' ? { rule: null, category: null, reason: null } : decision
  return visibleJson(JSON.stringify({ decision: decision.decision, rule, category, reason }))
}

const forPeople = (decision: Decision): string =>
  decision.decision === 'allow'
    ? 'allowed'
    : `denied by ${decision.rule} (${decision.category}): ${visibleLine(decision.reason, 2000)}`
