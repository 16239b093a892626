import type { UserConfiguration } from './user-configuration.ts'

/** Everything that could run a program, reach out, or hide a change is off; nothing but our own file is read. */
const own: readonly (readonly [key: string, value: string])[] = [
  ['core.bare', 'true'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.logAllRefUpdates', 'false'],
  // Whatever the user's umask is: only theirs.
  ['core.sharedRepository', '0600'],
  ['core.commitGraph', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.safecrlf', 'false'],
  // One flush for all objects of a snapshot instead of one for each.
  ['core.fsyncMethod', 'batch'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['submodule.recurse', 'false'],
  ['fetch.fsckObjects', 'true'],
  ['fetch.recurseSubmodules', 'false'],
  ['protocol.allow', 'never'],
  ['protocol.file.allow', 'always'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['advice.detachedHead', 'false'],
  ['advice.graftFileDeprecated', 'false'],
  // The format that `readIndexTimes` reads.
  ['index.version', '2'],
]

/** The text of `referee.git/config`. */
export function refereeConfiguration(user: UserConfiguration, repository: string, lfsStorage: string): string {
  const sha256 = user.objectFormat === 'sha256'
  const entries: (readonly [string, string])[] = [
    ['core.repositoryFormatVersion', sha256 ? '1' : '0'],
    ...(sha256 ? [['extensions.objectFormat', 'sha256'] as const] : []),
    ...own,
    ['core.excludesFile', `${repository}/info/user-excludes`],
    ['core.attributesFile', `${repository}/info/user-attributes`],
    ...[...user.conversion, ...user.filters].map(({ key, value }) => [key, value] as const),
    // Large files that the runner commits must be where the user's git-lfs will look for them.
    ...(user.filters.some(({ key }) => key.startsWith('filter.lfs.')) ? [['lfs.storage', lfsStorage] as const] : []),
  ]
  return entries.map(([key, value]) => configLine(key, value)).join('')
}

function configLine(key: string, value: string): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const section =
    first === last ? `[${key.slice(0, first)}]` : `[${key.slice(0, first)} "${escape(key.slice(first + 1, last))}"]`
  return `${section}\n\t${key.slice(last + 1)} = "${escape(value).replaceAll('\n', String.raw`\n`)}"\n`
}

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)
