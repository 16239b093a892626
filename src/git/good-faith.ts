import type { GuardedFile } from './guarded-files.ts'

const hookTools = /husky|pre-commit\.com|pre_commit|git[- ]lfs|lefthook|simple-git-hooks|overcommit/i

/**
 * Keys that honest tools and plain git commands write into `.git/config`. They are put back like all others; only their
 * author is not blamed. Values that run something must be the well-known ones.
 */
const goodKeys: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^core\.hookspath$/, /^(?!\/)(?!.*\.\.)[\w./-]+$/],
  [/^filter\.lfs\.clean$/, /^git-lfs clean -- %f$/],
  [/^filter\.lfs\.smudge$/, /^git-lfs smudge(?: --skip)? -- %f$/],
  [/^filter\.lfs\.process$/, /^git-lfs filter-process(?: --skip)?$/],
  [/^filter\.lfs\.required$/, /^true$/],
  [/^lfs\.(?:repositoryformatversion|.+\.access)$/, /./],
  [/^user\.(?:name|email)$/, /./],
  [/^branch\..+\.(?:remote|merge|rebase)$/, /./],
  [/^submodule\..+\.(?:url|active)$/, /./],
]

/** What `git submodule update --init` writes besides; nothing in a new module's configuration but these. */
const moduleKeys: typeof goodKeys = [
  ...goodKeys.filter(([key]) => !key.source.includes('hookspath')),
  [/^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)$/, /./],
  [/^core\.worktree$/, /^(?:\.\.\/)+[\w./-]+$/],
  [/^remote\.[^.]+\.(?:url|fetch)$/, /./],
]

/** Whether a changed guarded file looks like the work of a tool that is allowed to make it. */
export function isGoodFaith(before: GuardedFile | null, now: GuardedFile | null): boolean {
  const file = now ?? before
  if (file === null || (now !== null && now.kind !== 'file') || (before !== null && before.kind !== 'file'))
    return false
  // git never runs a sample; a new repository has them, and an ignore file of comments.
  if (/\/hooks\/[^/]+\.sample$/.test(file.path)) return true
  if (before === null && file.path.endsWith('/info/exclude')) return /^(?:#.*\n)*$/.test(textOf(file))
  if (/\/hooks\/[^/]+$/.test(file.path)) {
    return [before, now].some((side) => side !== null && hookTools.test(textOf(side)))
  }
  const isNewModule = before === null && file.path.includes('/modules/')
  if (!file.path.endsWith('/config') || (before === null && !isNewModule) || now === null) return false
  const then = parseSimpleConfig(before === null ? '' : textOf(before))
  const after = parseSimpleConfig(textOf(now))
  if (then === null || after === null) return false
  const known = new Set(then)
  const kept = new Set(after)
  return [...after.filter((line) => !known.has(line)), ...then.filter((line) => !kept.has(line))].every((line) =>
    isGoodLine(line, isNewModule ? moduleKeys : goodKeys),
  )
}

function isGoodLine(line: string, keys: typeof goodKeys): boolean {
  const end = line.indexOf('=')
  return keys.some(([key, value]) => key.test(line.slice(0, end)) && value.test(line.slice(end + 1)))
}

/** `key=value` of each line, or null for what only git can read (continued lines, comments behind values). */
export function parseSimpleConfig(text: string): string[] | null {
  let section = ''
  const found: string[] = []
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const header = /^\[([A-Za-z0-9.-]+)(?: "([^"\\]*)")?\]$/.exec(line)
    const entry = /^([A-Za-z][A-Za-z0-9-]*)(?:\s*=\s*([^#;"\\]*))?$/.exec(line)
    if (header !== null)
      section = header[2] === undefined ? (header[1] ?? '').toLowerCase() : `${header[1]?.toLowerCase()}.${header[2]}`
    else if (entry !== null) found.push(`${section}.${entry[1]?.toLowerCase()}=${entry[2]?.trim() ?? 'true'}`)
    else return null
  }
  return found
}

const textOf = (file: GuardedFile): string => Buffer.from(file.content, 'base64').toString('utf8')
