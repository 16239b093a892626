const small = 200_000
const large = 1_000_000

/** How many tokens fit. A hook is not told, so: what the user says, else what Claude Code gives this model. */
export function windowSize(env: NodeJS.ProcessEnv, model: string, tokens: number): number {
  const told = count(env['RALPH_CONTEXT_WINDOW']) ?? count(env['CLAUDE_CONTEXT_WINDOW'])
  if (told !== null) return told
  const size = isOn(env['CLAUDE_CODE_DISABLE_1M_CONTEXT']) ? small : windowOf(model)
  // It is a model that we do not know well enough.
  return tokens > size ? large : size
}

/** Of Claude Code 2.1: opus from 4.7 on and everything from 5 on has a million, other models where `[1m]` asks for it. */
function windowOf(model: string): number {
  if (model.toLowerCase().includes('[1m]')) return large
  const [, family, major, minor] = /claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  const version = Number(major) * 100 + Number(minor ?? 0)
  return version >= (family === 'opus' ? 407 : 500) ? large : small
}

function count(value: string | undefined): number | null {
  return value !== undefined && /^[1-9]\d{0,11}$/.test(value) ? Number(value) : null
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(?:1|true|yes|on)$/i.test(value)
