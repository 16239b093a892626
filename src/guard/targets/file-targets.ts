import { isWild, star } from '../shell/pattern.ts'
import { sedParts } from '../shell/run-by-option.ts'
import type { How } from '../touch.ts'
import { hasOption, operandsOf, valuesOf } from './operands.ts'

/** A path as a command names it: from the directory that it runs in. */
export interface Target {
  readonly path: string
  readonly how: How
  /** It is not changed now: another name is made that leads to it. */
  readonly isLinked?: boolean
}

/** What a program would change, told by its arguments. */
export type Targets = (args: readonly string[]) => readonly Target[]

const all =
  (how: How, valued = ''): Targets =>
  (args) =>
    operandsOf(args, valued).map((path) => ({ path, how }))

const writes = (paths: readonly string[]): Target[] => paths.map((path) => ({ path, how: 'write' }))

/** Without the name of its directory. */
const nameOf = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? ''

/** Into what they are copied: the last one, or what is named like them in it. */
function into(args: readonly string[], valued = ''): { readonly sources: string[]; readonly targets: Target[] } {
  const given = valuesOf(args, '-t', '--target-directory')
  const operands = operandsOf(args, `${valued} -t --target-directory -S --suffix`)
  const directory = given[0] ?? operands.at(-1)
  const sources = given.length > 0 ? operands : operands.slice(0, -1)
  if (directory === undefined) return { sources, targets: [] }
  // What a wildcard finds among the sources says nothing about what is there already.
  const inside = sources.filter((source) => !isWild(nameOf(source))).map((source) => `${directory}/${nameOf(source)}`)
  return { sources, targets: writes([directory, ...inside]) }
}

const sweeps = (paths: readonly string[]): Target[] => paths.map((path) => ({ path, how: 'sweep' }))

/** A directory is copied over the one that has its name; what is in it, over what is in the target. */
const copies: Targets = (args) => {
  const { sources, targets } = into(args, '-m -o -g --mode --owner --group')
  if (!hasOption(args, 'raR', '--recursive', '--archive')) return targets
  const [directory, ...named] = targets.map(({ path }) => path)
  const isContent = sources.some((source) => /\/\.?$/.test(source) || nameOf(source) === star)
  return [...targets, ...sweeps([...named, ...(isContent && directory !== undefined ? [directory] : [])])]
}

const moves: Targets = (args) => {
  const { sources, targets } = into(args)
  return [...targets, ...sources.map((path): Target => ({ path, how: 'remove' }))]
}

/** What a link leads to is as good as written: the next command may write through it. */
const links: Targets = (args) => {
  const { sources, targets } = into(args)
  const single = operandsOf(args)
  const ends = sources.length === 0 ? single.slice(0, 1) : sources
  // A link is read from where it lies, which may be in the target or beside it.
  const below = targets
    .slice(0, 1)
    .flatMap(({ path }) => ends.flatMap((end) => [`${path}/../${end}`, `${path}/${end}`]))
  const led = [...writes([...ends, ...below]), ...sweeps([...ends, ...below])]
  return [...targets, ...led.map((target) => ({ path: target.path, how: target.how, isLinked: true }))]
}

const permissions: Targets = (args) => {
  const how = hasOption(args, 'R', '--recursive') ? 'sweep' : 'write'
  return operandsOf(args).map((path) => ({ path, how }))
}

const inPlace =
  (option: RegExp): Targets =>
  (args) =>
    args.some((arg) => option.test(arg) || /^--in-place(?:=|$)/.test(arg)) ? writes(operandsOf(args)) : []

const streamEdits: Targets = (args) => [...inPlace(/^-[A-Za-z0-9]*[iI]/)(args), ...writes(sedParts(args).written)]

const outputs =
  (...names: readonly string[]): Targets =>
  (args) =>
    writes(valuesOf(args, ...names))

/** What an archive has in it, its name does not tell. */
const unpacks: Targets = (args) =>
  /^-?[A-Za-z]*x/.test(args[0] ?? '') || hasOption(args, 'x', '--extract', '--get')
    ? sweeps(valuesOf(args, '-C', '--directory'))
    : []

/** They take away what they have packed. */
const packs: Targets = (args) =>
  hasOption(args, 'cklt', '--stdout', '--keep', '--list', '--test') ? [] : all('remove')(args)

/** By the name of the program. What is not here changes files that only running it would tell. */
export const fileTargets: ReadonlyMap<string, Targets> = new Map([
  ...['rm', 'unlink', 'shred', 'rmdir', 'trash'].map((name) => [name, all('remove', '-n -s')] as const),
  ...['tee', 'sponge', 'mkfifo', 'mkdir', 'ed', 'ex'].map((name) => [name, all('write', '-m')] as const),
  ['touch', all('write', '-r -d -t --reference --date')],
  ['truncate', all('write', '-s -r --size --reference')],
  ...['cp', 'install', 'rsync', 'scp'].map((name) => [name, copies] as const),
  ['mv', moves],
  ['ln', links],
  ...['link', 'symlink'].map((name) => [name, links] as const),
  ...['chmod', 'chown', 'chgrp', 'chattr', 'setfacl'].map((name) => [name, permissions] as const),
  ...['sed', 'gsed'].map((name) => [name, streamEdits] as const),
  ...['perl', 'ruby'].map((name) => [name, inPlace(/^-[A-Za-z0-9]*i/)] as const),
  ['patch', (args) => writes([...operandsOf(args, '-i -p -d -r').slice(0, 1), ...valuesOf(args, '-o', '--output')])],
  ['dd', (args) => writes(args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice('of='.length)))],
  ['curl', outputs('-o', '--output', '--output-dir')],
  ['wget', outputs('-O', '--output-document', '-P', '--directory-prefix')],
  ['sort', outputs('-o', '--output')],
  ...['tar', 'gtar', 'bsdtar'].map((name) => [name, unpacks] as const),
  ['yq', inPlace(/^-[A-Za-z]*i|^--inplace$/)],
  ['unzip', (args) => sweeps(valuesOf(args, '-d'))],
  ...['gzip', 'gunzip', 'bzip2', 'xz'].map((name) => [name, packs] as const),
])
