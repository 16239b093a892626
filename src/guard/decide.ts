import { visibleLine } from '../base/visible.ts'
import type { Category } from './category.ts'
import { guardPaths, type FindGuarded } from './find-guarded.ts'
import { isAbout, namesAround } from './is-about.ts'
import type { Place } from './place.ts'
import { rules as allRules } from './rules.ts'
import { inside } from './shell/inside.ts'
import { traceScript, type Ran } from './shell/trace.ts'
import { touchesOf } from './targets/touches-of.ts'
import type { Rule } from './rule.ts'
import type { ToolCall } from './tool-call.ts'
import type { Touch } from './touch.ts'

export type Decision =
  | { readonly decision: 'allow' }
  /** `rule` is its name; `reason` is for the model: what, why, what to do instead. */
  | { readonly decision: 'deny'; readonly rule: string; readonly category: Category; readonly reason: string }

const allow: Decision = { decision: 'allow' }
const maxTouches = 1000
/** A shell gets its command as one argument, and no kernel that we run on takes a longer one. */
const maxCommand = 128 * 1024

/** Whether a tool may be called. It changes nothing and asks the disk only through `place`. */
export function decide(call: ToolCall, place: Place, rules: readonly Rule[] = allRules): Decision {
  if (call.kind === 'other') return allow
  if (call.kind === 'unreadable') return unreadable(call.what)
  if (call.kind === 'write' || call.kind === 'read') {
    return decideOn({ touches: touchesOfTool(call, place), ran: [] }, place, rules)
  }
  if (call.command.length > maxCommand) return unreadable(`it is longer than ${maxCommand} characters`)
  const { ran, written, read, unread } = traceScript(call.command, place)
  if (unread !== null) return unreadable(unread)
  const touches = [
    ...written.map((path): Touch => ({ path, how: 'write' })),
    ...read.map((path): Touch => ({ path, how: 'read' })),
    ...ran.flatMap(touchesOf),
  ]
  return decideOn({ touches, ran }, place, rules)
}

/** The same where nobody else catches what is a bug of ours: it must not open what is guarded. */
export function decideSafely(call: ToolCall, place: Place, rules: readonly Rule[]): Decision {
  try {
    return decide(call, place, rules)
  } catch (error) {
    return unreadable(`the guard failed: ${visibleLine(error instanceof Error ? error.message : String(error))}`)
  }
}

/** A blank at an end is a part of a name, or nothing: that is up to the tool. */
function touchesOfTool({ path, kind }: Extract<ToolCall, { path: string }>, { cwd, home }: Place): Touch[] {
  return [...new Set([path, path.trim()])]
    .map((text) => text.replace(/^~(?=\/|$)/, home))
    .flatMap((text) => inside([cwd], text))
    .map((path) => ({ path, how: kind }))
}

function decideOn(
  { touches, ran }: { readonly touches: readonly Touch[]; readonly ran: readonly Ran[] },
  place: Place,
  rules: readonly Rule[],
): Decision {
  let find: FindGuarded | null = null
  // Of `rm -rf ~` there is more to say than that it removes a file of ours, too.
  let inPassing: Decision = allow
  const seen = new Set<string>()
  for (const touch of touches) {
    const key = `${touch.how} ${touch.isLinked === true ? 'by link ' : ''}${touch.path} ${touch.only?.names.join(' ') ?? ''}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > maxTouches) return unreadable(`it names more than ${maxTouches} files`)
    find ??= guardPaths(rules, place)
    const found = find(touch)
    if (found !== null) {
      const answer = deny(found.rule, `would ${verbs[touch.how]} ${shown(found.path, place)}`)
      if (!found.isInside) return answer
      if (inPassing.decision === 'allow') inPassing = answer
    }
    for (const rule of rules) {
      const what = rule.forbidsTouch?.(touch, place) ?? null
      if (what !== null) return deny(rule, what)
    }
  }
  const names = new Set<string>()
  for (const command of ran) {
    const around = namesAround(command, place)
    for (const name of around) names.add(name)
    for (const rule of rules) {
      const what = (isAbout(rule, around) ? rule.forbids?.(command, place) : null) ?? null
      if (what !== null) return deny(rule, what)
    }
  }
  const all = [...names]
  for (const rule of rules) {
    if (rule.forbidsTogether === undefined || !isAbout(rule, all)) continue
    const what = rule.forbidsTogether(ran, place)
    if (what !== null) return deny(rule, what)
  }
  return inPassing
}

const verbs = { read: 'read', write: 'write', remove: 'remove or change', sweep: 'change' } as const

/** From the root of the project where it is in it. */
function shown(path: string, { projects }: Place): string {
  const project = projects.find((project) => path.startsWith(`${project}/`))
  return visibleLine(project === undefined ? path : path.slice(project.length + 1))
}

function deny(rule: Rule, what: string): Decision {
  const reason = `Ralph's guard denied this call: it ${what}. ${rule.why} ${rule.instead}`
  return { decision: 'deny', rule: rule.name, category: rule.category, reason }
}

const unreadable = (what: string): Decision =>
  deny(
    {
      name: 'unreadable-call',
      category: 'obfuscation',
      why: 'Inside a loop only calls that can be read are allowed.',
      instead: 'Say it in a simpler way, in several calls if need be.',
    },
    `cannot be read (${what})`,
  )
