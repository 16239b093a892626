/** Names that git takes for a branch and that no command can mistake for an option (the rules of check-ref-format). */
export function isBranchName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 200 &&
    name !== 'HEAD' &&
    !name.startsWith('-') &&
    !forbidden.test(name) &&
    name
      .split('/')
      .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock') && !part.endsWith('.'))
  )
}

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|^@$/

/** A branch name of what a person calls his feature; null if nothing of it can stand in one. */
export function branchNameFor(feature: string): string | null {
  const name = feature
    .replaceAll(/[^\p{L}\p{N}._/-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^[-./]+|[-./]+$/g, '')
  const branch = `ralph/${name}`
  return name !== '' && isBranchName(branch) ? branch : null
}
