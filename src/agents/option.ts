/** An option with its value; nothing where there is none. */
export function option(name: string, value: string | null): string[] {
  return value === null ? [] : [name, value]
}
