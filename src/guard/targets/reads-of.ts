import type { Ran } from '../shell/trace.ts'
import { isPlaceholder, readFindCall } from './find-call.ts'
import { hasOption, operandsOf, valuesOf } from './operands.ts'
import { pipedPaths } from './piped-paths.ts'
import { uploadsOf } from './uploads-of.ts'

/** The files whose content a program prints, copies or sends, told by its arguments. */
type Reads = (args: readonly string[]) => readonly string[]

const operands =
  (valued = ''): Reads =>
  (args) =>
    operandsOf(args, valued)

/** The first operand is what it looks for, or does, unless an option says that. */
const behindFirst =
  (given: RegExp, valued: string, silent: (args: readonly string[]) => boolean = () => false): Reads =>
  (args) => {
    if (silent(args)) return []
    const all = operandsOf(args, valued)
    return args.some((arg) => given.test(arg)) ? all : all.slice(1)
  }

const sources: Reads = (args) => {
  const isInto = valuesOf(args, '-t', '--target-directory').length > 0
  const all = operandsOf(args, '-t --target-directory -S --suffix -m -o -g -e -P -i -F --rsh --exclude --include')
  return isInto ? all : all.slice(0, -1)
}

const packed: Reads = (args) => {
  const first = args[0] ?? ''
  const isPacking = /^-?[A-Za-z]*[cru]/.test(first) || hasOption(args, 'cru', '--create', '--append', '--update')
  if (!isPacking) return []
  const all = operandsOf(args, '-f --file -C --directory -X --exclude-from')
  return first.startsWith('-') ? all : all.slice(2)
}

const greps = behindFirst(
  /^(?:-[A-Za-z]*[ef]|--regexp|--file)/,
  '-e -f -A -B -C -m -d -D --regexp --file --include --exclude --exclude-dir --context -g -t -T --glob --type',
  (args) => hasOption(args, 'qclL', '--quiet', '--silent', '--count', '--files-with-matches', '--files-without-match'),
)
const seds = behindFirst(/^(?:-[nErsuz]*[ef]|--expression|--file)/, '-e -f --expression --file -l', (args) =>
  args.some((arg) => /^-[A-Za-z]*i/.test(arg) || arg.startsWith('--in-place')),
)
const awks = behindFirst(/^(?:-f|--file)/, '-f -F -v --file --field-separator --assign')
const jqs = behindFirst(/^(?:-f|--from-file)/, '-f --from-file --arg --argjson --indent -L')

/** A certificate may be looked at; a key only checked. */
const showsKey = (args: readonly string[]): boolean =>
  /^(?:enc|base64|aes.*)$/.test(args[0] ?? '') ||
  (/^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12)$/.test(args[0] ?? '') &&
    !args.some((arg) => /^-(?:noout|pubout|pubin|check|nokeys|modulus|out|export)$/.test(arg)))

/** None of their letters takes the next word. */
const printers = 'cat tac rev view vi vim nvim nano emacs pico code open xdg-open source . zcat bzcat xzcat lz4cat'
/** Some do, and not the same ones: any may be the file. */
const formatters =
  'nl less more most bat batcat strings xxd od hexdump hd fold fmt column paste comm join cut expand pr look base64 base32 ' +
  'basenc uuencode gpg pbcopy xclip zless iconv'

/** `perl -ne 'print' FILE`: the first word is code, unless it stands behind a letter. */
const filtering: Reads = (args) => {
  const at = args.findIndex((arg) => /^-\w*[np]/.test(arg) && !/^-\w*i/.test(arg))
  return at === -1 || args.some((arg) => /^-\w*i/.test(arg)) ? [] : operandsOf(args)
}

/** `git show REV:FILE` prints a file too. */
const gitReads: Reads = (args) => {
  if (args[0] === 'hash-object' || args.includes('--no-index')) return operandsOf(args).slice(1)
  return args.some((arg) => arg === 'show' || arg === 'cat-file')
    ? args.filter((arg) => /^[^:]*:[^:]/.test(arg)).map((arg) => arg.slice(arg.indexOf(':') + 1))
    : []
}

const readers: ReadonlyMap<string, Reads> = new Map([
  ...printers.split(' ').map((name) => [name, operands('-c')] as const),
  ...formatters.split(' ').map((name) => [name, operands()] as const),
  ...['perl', 'ruby'].map((name) => [name, filtering] as const),
  ['xargs', (args) => valuesOf(args, '-a', '--arg-file')],
  ...['curl', 'wget'].map(
    (name) =>
      [
        name,
        (args: readonly string[]) => args.filter((arg) => arg.startsWith('file://')).map((arg) => arg.slice(7)),
      ] as const,
  ),
  ...['head', 'tail'].map((name) => [name, operands('-n -c --lines --bytes -s')] as const),
  ...['sort', 'uniq', 'shuf'].map((name) => [name, operands('-k -t -S -T -o -n -f -s -w')] as const),
  ...['diff', 'cmp', 'sdiff', 'vimdiff', 'colordiff', 'delta'].map((name) => [name, operands('-U -C -I -x')] as const),
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'ggrep'].map((name) => [name, greps] as const),
  ...['sed', 'gsed'].map((name) => [name, seds] as const),
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awks] as const),
  ...['jq', 'yq', 'dasel', 'xq'].map((name) => [name, jqs] as const),
  ...['cp', 'gcp', 'install', 'scp', 'rsync', 'ditto'].map((name) => [name, sources] as const),
  ['ln', (args) => operandsOf(args).slice(0, 1)],
  ...['tar', 'gtar', 'bsdtar'].map((name) => [name, packed] as const),
  ...['zip', '7z', '7za', '7zz', 'rar'].map(
    (name) => [name, (args: readonly string[]) => operandsOf(args).slice(1)] as const,
  ),
  ...['gzip', 'bzip2', 'xz', 'zstd'].map((name) => [name, operands()] as const),
  ['dd', (args) => args.filter((arg) => arg.startsWith('if=')).map((arg) => arg.slice('if='.length))],
  ['openssl', (args) => (showsKey(args) ? valuesOf(args, '-in') : [])],
  ['git', gitReads],
  ...['python', 'python3'].map(
    (name) => [name, (args: readonly string[]) => (args[0] === '-m' ? args.slice(2) : [])] as const,
  ),
  ['mapfile', operands('-d -n -O -s -t -u')],
])

/** The programs of which `readsOf` can tell something, but git. */
export const reading: string = [
  ...[...readers.keys()].filter((name) => name !== 'git'),
  'find curl wget wget2 http https xh xhs',
].join(' ')

/** What a command reads, with what `xargs` and `find` give it. */
export function readsOf(command: Ran): string[] {
  const { name, args, through } = command
  const read = readers.get(name)
  const sent = uploadsOf(command).flatMap(({ file }) => (file === null ? [] : [file]))
  if (read === undefined) return name === 'find' ? foundReads(args) : sent
  const isFed = through.includes('parallel') || (through.includes('xargs') && args.some(isPlaceholder))
  return [...read(isFed ? [...args, ...pipedPaths(command.input)] : args), ...sent]
}

/** A name that it looks for is as good as the name of a file, where it runs something that reads. */
function foundReads(args: readonly string[]): string[] {
  const { runs } = readFindCall(args)
  if (!runs.some(([program = '']) => readers.has(program.slice(program.lastIndexOf('/') + 1)))) return []
  return args.flatMap((arg, index) => (/^-i?name$/.test(arg) ? args.slice(index + 1, index + 2) : []))
}
