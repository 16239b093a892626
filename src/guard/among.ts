/** Whether a name is one of these, which have blanks between them; `a*` are all that begin so. */
export function isAmong(programs: string, name: string): boolean {
  const list = ` ${programs} `
  if (list.includes(` ${name} `)) return true
  for (let end = list.indexOf('* '); end !== -1; end = list.indexOf('* ', end + 1)) {
    if (name.startsWith(list.slice(list.lastIndexOf(' ', end) + 1, end))) return true
  }
  return false
}
