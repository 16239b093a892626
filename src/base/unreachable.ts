/** The end of an exhaustive switch: the compiler proves it is never reached, and a bug that reaches it says with what. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
