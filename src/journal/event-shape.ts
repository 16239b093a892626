import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { AgentOutcome, Event, StoryMove, Workflow } from '../model/event.ts'
import { exitCodeOf } from '../model/stop-reason.ts'
import type { IterationMode } from '../model/story.ts'

type Holds = (value: Json | undefined) => boolean
type Kind = Event['kind']
type Fields<K extends Kind> = Exclude<keyof Extract<Event, { kind: K }>, 'kind'>

/** Why a parsed line is not an event of ours, or null. Fields that we do not know are allowed: a later version may write more. */
export function whyNotEvent(value: JsonObject): string | null {
  const { kind } = value
  if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return `unknown kind ${JSON.stringify(kind)}`
  const shape: Readonly<Record<string, Holds>> = shapes[kind as Kind]
  const wrong = Object.keys(shape).find((field) => shape[field]?.(value[field]) !== true)
  return wrong === undefined ? null : `${kind} without a proper "${wrong}"`
}

const text: Holds = (value) => typeof value === 'string'
const flag: Holds = (value) => typeof value === 'boolean'
const figure: Holds = (value) => typeof value === 'number'
const count: Holds = (value) => Number.isSafeInteger(value)
const object: Holds = (value) => isObject(value)
const orNull =
  (holds: Holds): Holds =>
  (value) =>
    value === null || holds(value)
const orNone =
  (holds: Holds): Holds =>
  (value) =>
    value === undefined || holds(value)
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every((item) => holds(item))
const mapOf =
  (holds: Holds): Holds =>
  (value) =>
    isObject(value) && Object.values(value).every((item) => holds(item))
const record = (fields: Readonly<Record<string, Holds>>): Holds => {
  const entries = Object.entries(fields)
  return (value) => isObject(value) && entries.every(([name, holds]) => holds(value[name]))
}
const oneOf =
  (names: Readonly<Record<string, unknown>>): Holds =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(names, value)

const outcomes: Record<AgentOutcome, true> = {
  succeeded: true,
  failed: true,
  timeout: true,
  silent: true,
  empty: true,
  'usage-limit': true,
  overloaded: true,
  'not-logged-in': true,
  unavailable: true,
  interrupted: true,
}
const workflows: Record<Workflow, true> = { stories: true, task: true, branches: true, supervise: true }
const modes: Record<IterationMode, true> = { implement: true, review: true, 'review-fix': true }
const moves: Record<StoryMove, true> = {
  needs_review: true,
  changes_requested: true,
  approved: true,
  approved_at_cap: true,
  passed_unreviewed: true,
  reopened: true,
}

const tokens = record({ input: figure, output: figure, cacheRead: figure, cacheWrite: figure })

const violation = record({ rule: text, story: orNull(text), message: text })

const shapes: { readonly [K in Kind]: Readonly<Record<Fields<K>, Holds>> } = {
  'run.started': {
    runId: text,
    workflow: oneOf(workflows),
    project: text,
    version: text,
    options: object,
    bases: mapOf(text),
    artefacts: listOf(text),
  },
  'run.resumed': { flags: object },
  'isolation.chosen': {
    backend: text,
    boxed: flag,
    description: text,
    passedOver: listOf(record({ backend: text, why: text })),
  },
  'iteration.started': {
    iteration: count,
    mode: orNull(oneOf(modes)),
    story: orNull(text),
    agent: text,
    model: orNull(text),
    sessionId: text,
    base: text,
    branch: text,
    tree: text,
  },
  'agent.finished': {
    iteration: count,
    outcome: oneOf(outcomes),
    exitCode: orNull(count),
    signal: orNull(text),
    durationMs: figure,
    costUsd: orNull(figure),
    tokens: orNull(tokens),
    message: orNull(text),
    promised: flag,
    retryAt: orNull(text),
  },
  'check.finished': {
    iteration: count,
    command: text,
    exitCode: orNull(count),
    durationMs: figure,
    log: text,
    decides: flag,
    cannotStart: flag,
  },
  'verdict.given': {
    iteration: count,
    ok: flag,
    violations: listOf(violation),
    moreViolations: orNone(count),
    unfinished: listOf(record({ what: text, story: orNull(text), message: text })),
    branches: orNone(listOf(text)),
    head: orNull(text),
    tree: text,
  },
  'state.repaired': { iteration: count, what: listOf(text), commit: orNull(text), tree: text },
  'stories.moved': {
    iteration: count,
    moves: listOf(record({ story: text, to: oneOf(moves), by: oneOf({ agent: true, runner: true }) })),
    artefacts: listOf(text),
    violations: listOf(violation),
    moreViolations: orNone(count),
  },
  'completion.started': { iteration: count, commit: text, tree: text },
  'wait.started': { reason: text, until: orNull(text) },
  'wait.ended': { reason: text, until: orNull(text) },
  'iteration.finished': { iteration: count, changed: flag, commits: listOf(text), error: orNull(text), counted: flag },
  'run.stopped': {
    reason: oneOf(exitCodeOf),
    exitCode: count,
    totals: record({ iterations: count, costUsd: orNull(figure), tokens, durationMs: figure }),
    details: orNone(listOf(text)),
  },
}
