/**
 * What runs, allows or instructs an agent in this project and so belongs to people: put back before each start, and
 * illegal to change. A name that ends in `/` is a directory with all that is in it; the one list of them.
 */
export const steeringPaths: readonly string[] = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/agents/',
  '.claude/commands/',
  '.claude/skills/',
  '.claude/hooks/',
  '.claude/plugins/',
  '.claude/output-styles/',
  '.claude/workflows/',
  '.claude/mcp.json',
  '.mcp.json',
  '.codex/',
  '.agents/',
  '.gemini/',
  '.qwen/',
  '.opencode/',
  'opencode.json',
  'opencode.jsonc',
  '.cursor/mcp.json',
  '.cursor/hooks.json',
  '.cursor/cli.json',
  '.cursor/hooks/',
  '.amp/',
  '.pi/',
  '.factory/',
  '.copilot/',
  '.github/copilot-instructions.md',
  '.github/hooks/',
  '.vscode/mcp.json',
]

const settingsFile = /^\.claude\/settings[^/]*\.json$/

/** Whether a path is one of them, lies in one, or is a directory on the way to one that became something else. */
export function isSteeringPath(path: string): boolean {
  const folded = fold(path)
  return (
    settingsFile.test(folded) ||
    steeringPaths.some((name) => isAtOrIn(folded, name.replace(/\/$/, ''))) ||
    steeringParents.has(folded)
  )
}

/** A file that was made a directory is no longer what people wrote, so what is in it counts as the file. */
export const isAtOrIn = (path: string, name: string): boolean => path === name || path.startsWith(`${name}/`)

/** `.Claude/` is `.claude/` on half of the world's disks; by way of upper case, so is `.claude/ſkills` on some. */
export const fold = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase()

/** Git reports a directory only when it is no longer one: a link, a file, a repository of its own. */
const steeringParents: ReadonlySet<string> = new Set(
  steeringPaths.filter((name) => name.includes('/')).map((name) => name.slice(0, name.indexOf('/'))),
)
