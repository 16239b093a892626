/** node:crypto is loaded when it is needed: it takes a sixth of node's own start, and most turns change no file of people's. */
export const sha256 = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')
