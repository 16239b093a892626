import type { Rule } from '../../rule.ts'
import type { Place } from '../../place.ts'
import type { Ran } from '../../shell/trace.ts'
import { inside } from '../../shell/inside.ts'
import { assignmentsOf, setters } from './assignments.ts'

export const loadedCode: Rule = {
  name: 'loaded-code',
  category: 'environment',
  why: 'Such a variable makes every program that starts run other code first.',
  instead: 'Give the program its options itself, with files of the project.',
  get programs() {
    return ['=', ...setters, 'ld*'].join(' ')
  },
  forbids(command, place) {
    if (/^ld(?:-[\w.-]+)?\.so/.test(command.name) && command.args.includes('--preload'))
      return 'would load other code into a program'
    for (const [name, value] of assignmentsOf(command)) {
      if (value !== '' && isLoading(name, value, command, place))
        return `would make other programs run something by ${name}`
    }
    return null
  },
}

/** They are for nothing else. */
const always = new Set([
  'BASH_ENV',
  'PROMPT_COMMAND',
  'LD_AUDIT',
  'PYTHONSTARTUP',
  'PERL5DB',
  'SHELLOPTS',
  'BASHOPTS',
  'ZDOTDIR',
  'LESSOPEN',
  'LESSCLOSE',
  'PYTHONINSPECT',
  'PERL5SHELL',
  'COR_PROFILER_PATH',
  'DOTNET_STARTUP_HOOKS',
])

const libraryPaths = new Set(['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'DYLD_FRAMEWORK_PATH'])
const preloads = new Set(['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES'])

/** Memory checkers and allocators that developers load. */
const wellKnown =
  /lib(?:[atlu]san|clang_rt|jemalloc|tcmalloc|mimalloc|hoard|faketime|fakeroot|gomp|stdc\+\+|segfault|eatmydata|asan|memusage|profiler|nss_wrapper|tsocks|gtk3-nocsd)/i

function isLoading(name: string, value: string, command: Ran, place: Place): boolean {
  if (always.has(name)) return value !== '/dev/null' && value !== '0'
  if (preloads.has(name)) {
    return value
      .split(/[: ]/)
      .some(
        (file) =>
          file !== '' && !wellKnown.test(file) && !(isOwn(file, command, place) && isOwnProgram(command, place)),
      )
  }
  if (libraryPaths.has(name)) return value.split(':').some((part) => /^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/.test(part))
  // A shell reads this file; elsewhere it is the name of an environment.
  if (name === 'ENV') return /^[./~]/.test(value)
  if (name === 'PS4' || name === 'PS1') return /\$\(|`/.test(value)
  const option = options.get(name)
  return (
    option !== undefined &&
    (value.length > maxValue || filesIn(value, option).some((file) => isForeign(file, command, place)))
  )
}

/** Nobody writes more into one. */
const maxValue = 20_000

/** By variable: the options in it that load a file. */
const options: ReadonlyMap<string, RegExp> = new Map([
  ['NODE_OPTIONS', /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)(?:=|\s+)(\S+)/g],
  ['BUN_OPTIONS', /(?:^|\s)(?:-r|--preload|--require)(?:=|\s+)(\S+)/g],
  ['RUBYOPT', /(?:^|\s)-r\s*(\S+)/g],
  ['PERL5OPT', /(?:^|\s)-[IMm]\s*(\S+)/g],
  ['JAVA_TOOL_OPTIONS', /(?:^|\s)-(?:javaagent|agentpath):(\S+)/g],
  ['_JAVA_OPTIONS', /(?:^|\s)-(?:javaagent|agentpath):(\S+)/g],
  ['JDK_JAVA_OPTIONS', /(?:^|\s)-(?:javaagent|agentpath):(\S+)/g],
])

const filesIn = (value: string, option: RegExp): string[] => [...value.matchAll(option)].map(([, file = '']) => file)

/** A path, or a text that is code, that is not of the project; the name of a package is. */
function isForeign(file: string, command: Ran, place: Place): boolean {
  if (/^(?:data|https?):/.test(file)) return true
  return /^[/~]|^\.\.?\//.test(file) && !isOwn(file, command, place)
}

/** A program that is built here may well be tried with a library that is. */
const isOwnProgram = (command: Ran, place: Place): boolean =>
  command.word.includes('/') && isOwn(command.word, command, place)

function isOwn(file: string, { directories }: Ran, { projects, home }: Place): boolean {
  const path = file.replace(/^~(?=\/)/, home).replace(/^file:\/\//, '')
  return inside(directories, path).every(
    (full) => projects.some((project) => full.startsWith(`${project}/`)) || /\/node_modules\//.test(full),
  )
}
