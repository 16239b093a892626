import * as z from 'zod/mini'
import { parseDuration } from '../base/duration.ts'
import { nearest } from '../base/nearest.ts'
import { visibleLine } from '../base/visible.ts'
import { isAllowable } from '../guard/active-rules.ts'
import { rules } from '../guard/rules.ts'
import { isPathspec } from '../tasks/is-pathspec.ts'
import { agentNames } from './agent-names.ts'
import { bounds, isWithin, type Bounds } from './bounds.ts'
import { isLine, isModel, wording } from './parse-value.ts'

/** An object that takes its own keys only. Each unknown key is a line of the message, so that all are told at once. */
function section<T extends z.core.$ZodLooseShape>(shape: T): z.ZodMiniObject<T, z.core.$strict> {
  const keys = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(key, keys)).join('\n')
        : 'must be an object',
  })
}

const unknownKey = (key: string, keys: readonly string[]): string =>
  `${visibleLine(key, 60)} is unknown; the nearest key is "${nearest(key, keys) ?? ''}"`

const text = (what = 'must be a text that is not empty') => z.string(what).check(z.regex(/\S/, what))
const hostWords = 'must be the name of a host, like "example.com", "*.example.com" or "example.com:8443"'
/** Anything else a box would take for a host that is never asked for, or for a rule that allows all of them. */
const host = z
  .string(hostWords)
  .check(
    z.regex(
      /^(?:(?:\*\.(?=[^.]+\.))?[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i,
      hostWords,
    ),
  )
const such = (what: string, holds: (value: string) => boolean) => z.string(what).check(z.refine(holds, what))
const list = <T extends z.ZodMiniType>(item: T, what: string) => z.array(item, `must be a list of ${what}`)
const yesOrNo = z.boolean('must be true or false')
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, wording.oneOf(values))

function count(range: Bounds) {
  const what = wording.count(range)
  return z.int(what).check(z.minimum(range[0], what), z.maximum(range[1], what))
}

function amount(range: Bounds) {
  const what = wording.amount(range)
  return z.number(what).check(z.minimum(range[0], what), z.maximum(range[1], what))
}

/** Seconds as a number, or a text with its unit. */
function duration(range: Bounds) {
  const what = wording.duration(range)
  const written = z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,3})?[smh]?$/, what))
  return z
    .union([written, z.number().check(z.minimum(0, what))], what)
    .check(z.refine((value) => isWithin(durationMs(value), range), what))
}

/** A duration of the settings file; what is none is no number. */
export function durationMs(value: string | number): number {
  if (typeof value === 'number') return Math.round(value * 1000)
  const parsed = parseDuration(value)
  return parsed.ok ? parsed.value : Number.NaN
}

/** What keeps the loop itself together nobody lifts. */
const allowableRule = z.string('must be the name of a rule of the guard').check(
  z.refine((name) => rules.some((rule) => rule.name === name && isAllowable(rule)), {
    error: ({ input }) => {
      const name = String(input)
      if (rules.some((rule) => rule.name === name))
        return 'must be a rule that may be lifted: this one protects the loop'
      const names = rules.filter(isAllowable).map((rule) => rule.name)
      return `must be the name of a rule of the guard (the nearest is "${nearest(name, names) ?? ''}")`
    },
  }),
)
const model = such(wording.model, isModel)
const agentName = oneOf(agentNames)
const program = text('must be the name or absolute path of a program, or a list of it and its arguments')
const modeAgent = section({ name: z.optional(agentName), model: z.optional(model) })
const line = such(wording.line, isLine)
const variable = such('must be the name of a variable, or a pattern with *', (name) =>
  /^[A-Za-z_*][A-Za-z0-9_*]*$/.test(name),
)
const pathspec = such(
  'must be a git pathspec, relative and with no magic but top, exclude, literal, glob and icase',
  (spec) => spec.trim() !== '' && isPathspec(spec),
)
const maxIterations = count(bounds.maxIterations)
const checks = list(
  section({
    command: text('must be a command').check(z.describe('run by the shell in the project; it must exit 0')),
    failAction: z.optional(
      oneOf(['append', 'prepend', 'replace', 'APPEND', 'PREPEND', 'REPLACE']).check(
        z.describe('where its output goes in the next prompt (task workflow)'),
      ),
    ),
    hint: z.optional(text().check(z.describe('what the agent is told when it fails'))),
    timeout: z.optional(duration(bounds.durationMs).check(z.describe('instead of checkTimeout'))),
  }),
  'checks like {"command": "npm test"}',
)

/** `.ralph/settings.json`, as people write it. */
export const settingsSchema = section({
  $schema: z.optional(z.string('must be text')),
  agent: z.optional(
    section({
      name: z.optional(agentName.check(z.describe('who works; default claude'))),
      model: z.optional(model),
      command: z.optional(
        z
          .union([program, z.array(program, 'must be a list').check(z.minLength(1, 'must not be empty'))], {
            error: 'must be a program, or a list of it and its arguments',
          })
          .check(
            z.describe('the program; if its base name is a known agent it selects that, else the agent is custom'),
          ),
      ),
      args: z.optional(list(z.string('must be text'), 'texts').check(z.describe('more arguments, last on its line'))),
      format: z.optional(
        oneOf(['text', 'claude', 'codex']).check(z.describe('how the stdout of a custom agent is read; default text')),
      ),
    }),
  ),
  agents: z.optional(
    section({
      implement: z.optional(modeAgent),
      review: z.optional(modeAgent),
      reviewFix: z.optional(modeAgent),
    }).check(z.describe('another agent or model in one mode')),
  ),
  maxIterations: z.optional(maxIterations),
  maximumIterations: z.optional(maxIterations.check(z.describe('the same as maxIterations'))),
  maxCost: z.optional(amount(bounds.maxCostUsd).check(z.describe('US dollars'))),
  maxTokens: z.optional(count(bounds.maxTokens)),
  maxTime: z.optional(duration(bounds.durationMs).check(z.describe('of the whole run; waits count'))),
  iterationTimeout: z.optional(duration(bounds.durationMs).check(z.describe('of one start of an agent'))),
  silenceTimeout: z.optional(
    duration(bounds.durationMs).check(z.describe('no output of the agent while no tool call is open')),
  ),
  checkTimeout: z.optional(duration(bounds.durationMs).check(z.describe('of one check'))),
  idleThreshold: z.optional(count(bounds.idleThreshold).check(z.describe('iterations in a row that change nothing'))),
  maxConsecutiveErrors: z.optional(count(bounds.maxConsecutiveErrors)),
  maxWait: z.optional(duration(bounds.waitMs).check(z.describe('for one usage limit to reset; 0 stops at once'))),
  completionTag: z.optional(line.check(z.describe('what the agent writes in <promise> when all is done'))),
  completionResponse: z.optional(line.check(z.describe('what it writes in <response>; case does not count'))),
  checks: z.optional(checks.check(z.describe('must pass; added to those of the task list'))),
  guardrails: z.optional(checks.check(z.describe('the same as checks'))),
  outputTruncateChars: z.optional(
    count(bounds.outputTruncateChars).check(z.describe("how much of a check's output a prompt holds")),
  ),
  streamAgentOutput: z.optional(yesOrNo),
  includeIterationCountInPrompt: z.optional(yesOrNo),
  scm: z.optional(
    section({
      command: z.optional(text('must be a program').check(z.describe('run when all checks pass (task workflow)'))),
      tasks: z.optional(list(text(), 'texts')),
    }),
  ),
  skipReview: z.optional(yesOrNo),
  reviewCap: z.optional(count(bounds.reviewCap).check(z.describe('how many reviews a story may get'))),
  atReviewCap: z.optional(oneOf(['approve', 'stop'])),
  protectedPaths: z.optional(list(pathspec, 'git pathspecs').check(z.describe('no iteration may change these'))),
  isolation: z.optional(
    section({
      backend: z.optional(oneOf(['auto', 'sbx', 'docker-sandbox', 'os', 'none'])),
      allowHosts: z.optional(list(host, 'host names')),
      network: z.optional(oneOf(['agent', 'registries', 'open'])),
      fresh: z.optional(oneOf(['review', 'always', 'never'])),
    }),
  ),
  env: z.optional(
    section({
      pass: z.optional(list(variable, 'variables').check(z.describe('given to agents and checks though withheld'))),
      drop: z.optional(list(variable, 'variables').check(z.describe('withheld from agents and checks'))),
    }),
  ),
  guard: z.optional(section({ allow: z.optional(list(allowableRule, 'names of rules')) })),
  git: z.optional(
    section({
      prBase: z.optional(text()),
      worktree: z.optional(
        section({
          name: z.optional(text()),
          email: z.optional(text()),
          signingKey: z.optional(text()),
          sshKey: z.optional(text()),
        }),
      ),
    }),
  ),
  notify: z.optional(section({ command: z.optional(text('must be a command')) })),
})

/** A settings file that holds, with its aliases replaced. */
export type Settings = Omit<z.output<typeof settingsSchema>, '$schema' | 'maximumIterations' | 'guardrails'>
