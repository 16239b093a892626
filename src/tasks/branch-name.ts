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
