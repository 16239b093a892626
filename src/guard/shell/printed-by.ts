import { ansiText } from './ansi-text.ts'
import { unknown } from './pattern.ts'

/** What a program prints, told from its words and what it reads; none: nobody knows. */
type Print = (args: readonly string[], read: readonly string[]) => readonly string[]

const maxDecoded = 100_000

const operands = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-') || arg === '-')

const echo: Print = (args) => {
  const start = args.findIndex((arg) => !/^-[neE]+$/.test(arg))
  const options = (start === -1 ? args : args.slice(0, start)).join('')
  const text = (start === -1 ? [] : args.slice(start)).join(' ')
  const end = options.includes('n') ? '' : '\n'
  if (!text.includes('\\')) return [text + end]
  // Whether it reads escapes by itself depends on the shell.
  const read = escapes(text) + end
  return options.includes('e') ? [read] : [text + end, read]
}

const escapes = (text: string): string =>
  ansiText(text.replaceAll("'", String.raw`\x27`).replaceAll(/\\0([0-7])/g, String.raw`\$1`), 0).text

const printf: Print = (args) => {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args
  if (format === '-v') return ['']
  const pieces: string[] = []
  let next = 0
  do {
    const before = next
    pieces.push(
      format.replaceAll(/\\[^]|%(%|[-+ #0]*[\d*]*(?:\.[\d*]+)?[A-Za-z])/g, (found, kind: string | undefined) => {
        if (kind === undefined) return found
        if (kind === '%') return '%'
        const value = values[next++] ?? ''
        return kind.endsWith('b') ? escapes(value) : value.replaceAll('\\', String.raw`\\`)
      }),
    )
    if (next === before) break
  } while (next < values.length && pieces.length < 1000)
  return [escapes(pieces.join(''))]
}

/** What comes in goes out again, where no file is named. */
const passes: Print = (args, read) => (operands(args).every((arg) => arg === '-') ? read : [])

const decoding =
  (isAsked: (args: readonly string[]) => boolean, decode: (text: string) => string): Print =>
  (args, read) =>
    isAsked(args)
      ? read.map((text) => (text.includes(unknown) || text.length > maxDecoded ? unknown : decode(text)))
      : []

const asks =
  (letters: RegExp, ...long: readonly string[]) =>
  (args: readonly string[]): boolean =>
    args.some(
      (arg) => letters.test(arg) || long.some((name) => arg === name || (arg.length > 4 && name.startsWith(arg))),
    )

const base64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8')
const hex = (text: string): string => Buffer.from(text.replaceAll(/[^\da-fA-F]/g, ''), 'hex').toString('utf8')

const base32 = (text: string): string => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text.toUpperCase(), (char) => digits.indexOf(char))
    .filter((value) => value >= 0)
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCodePoint(Number.parseInt(byte, 2))).join('')
}

const reversed = (text: string): string =>
  text
    .split('\n')
    .map((line) => Array.from(line).toReversed().join(''))
    .join('\n')

/** `a-z` is all of them. */
const setOf = (text: string): string[] =>
  Array.from(
    escapes(text).replaceAll(/([^])-([^])/g, (found, from: string, to: string) => {
      const [start = 0, end = 0] = [from.codePointAt(0), to.codePointAt(0)]
      if (end < start || end - start > 255) return found
      return Array.from({ length: end - start + 1 }, (_, index) => String.fromCodePoint(start + index)).join('')
    }),
  )

const tr: Print = (args, read) => {
  const [from = '', to = ''] = operands(args)
    .map(setOf)
    .map((set) => set.join(''))
  const isDelete = args.some((arg) => /^-[a-z]*d/.test(arg))
  if (args.some((arg) => /^-[a-z]*[cC]/.test(arg)) || from.includes('[:')) return []
  const [source, target] = [Array.from(from), Array.from(to)]
  return read.map((text) =>
    text.length > maxDecoded
      ? unknown
      : Array.from(text, (char) => {
          const at = source.lastIndexOf(char)
          if (at === -1) return char
          return isDelete ? '' : (target[at] ?? target.at(-1) ?? char)
        }).join(''),
  )
}

/** Where programs are: as good as their name. */
const named: Print = (args) => operands(args).slice(0, 1)

const prints: ReadonlyMap<string, Print> = new Map<string, Print>([
  ['echo', echo],
  ['printf', printf],
  ...['cat', 'tee', 'tac', 'sort', 'uniq', 'head', 'tail'].map((name) => [name, passes] as const),
  ['base64', decoding(asks(/^-[a-zA-Z]*[dD]/, '--decode'), base64)],
  ['base32', decoding(asks(/^-[a-zA-Z]*[dD]/, '--decode'), base32)],
  ['xxd', decoding(asks(/^-[a-z]*r/, '-revert'), hex)],
  ['openssl', decoding((args) => args.includes('-d') && args.some((arg) => /^-?(?:base64|a)$/.test(arg)), base64)],
  ['rev', (_, read) => read.map(reversed)],
  ['tr', tr],
  ...['which', 'realpath'].map((name) => [name, named] as const),
  ['command', (args) => (/^-[vV]/.test(args[0] ?? '') ? named(args, []) : [])],
  [
    'basename',
    (args) =>
      operands(args)
        .slice(0, 1)
        .map((path) => path.replace(/\/+$/, '').split('/').at(-1) ?? ''),
  ],
  [
    'dirname',
    (args) =>
      operands(args)
        .slice(0, 1)
        .map((path) => path.replace(/\/*[^/]+\/*$/, '') || (path.startsWith('/') ? '/' : '.')),
  ],
  ['mktemp', (args) => [`${args.includes('-p') ? unknown : '/tmp'}/${unknown}`]],
  ...['true', 'false', ':', 'cd', 'export', 'set', 'sleep', 'test', '[', 'mkdir', 'touch', 'rm'].map(
    (name) => [name, () => ['']] as const,
  ),
])

export const printedBy = (name: string, args: readonly string[], read: readonly string[]): readonly string[] =>
  prints.get(name)?.(args, read) ?? []
