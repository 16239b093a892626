import { unknown } from './pattern.ts'

/** What code in another language would have a shell or the system do. */
export type CodeCall =
  | { readonly kind: 'script'; readonly text: string }
  /** As the command that does the same. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'write'; readonly path: string }

type Value = string | readonly string[] | null

const maxCode = 200_000
const maxCalls = 200
const maxArgument = 20_000

/**
 * Calls that run a command or change files, by the end of their name. Only what is written out in the call, or in a
 * variable that is set once in the same code, is known of their arguments.
 */
const calls = new RegExp(
  [
    // Running something.
    'os\\.system|os\\.popen|os\\.spawn\\w+|os\\.exec\\w+|os\\.startfile|pty\\.spawn|commands\\.getoutput',
    'subprocess\\.\\w+|Popen|check_output|check_call|getoutput|getstatusoutput',
    'execSync|execFileSync|execFile|spawnSync|spawn|execa|execaSync|execaCommand',
    'shell_exec|passthru|proc_open|popen3?|capture3|capture2e?',
    'Open3\\.\\w+|Kernel\\.\\w+|IO\\.popen|pcntl_exec|Process\\.spawn',
    '\\)\\.(?:system|popen|rm|rmdir|unlink|rename|writeFile)|system|exec|os\\.execute|run',
    // Changing files.
    'shutil\\.\\w+|rmtree|os\\.removedirs|os\\.remove|os\\.unlink|os\\.rmdir|os\\.rename|os\\.replace|os\\.symlink|os\\.link|os\\.chmod|os\\.chown|os\\.truncate',
    'rmSync|rmdirSync|unlinkSync|renameSync|copyFileSync|cpSync|symlinkSync|linkSync|chmodSync|chownSync|truncateSync',
    'writeFileSync|appendFileSync|createWriteStream|readFileSync|createReadStream',
    'fs\\.\\w+|fsp\\.\\w+|promises\\.\\w+|writeFile|appendFile|readFile|readfile|unlink|rmdir|rename|remove_tree|file_put_contents|file_get_contents',
    'FileUtils\\.\\w+|File\\.\\w+|Dir\\.\\w+|IO\\.\\w+|Deno\\.\\w+|Bun\\.\\w+|Path|PosixPath|open|copy|symlink|chmod|chown',
  ].join('|'),
  'y',
)

/** By the last part of the name of a call, the command that does the same to its first arguments. */
const alike: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'rmtree rmSync rm rmdirSync remove_dir rm_rf rm_r rmtree! remove_tree removedirs remove_entry remove_entry_secure rm_f remove removeSync emptyDir'
      .split(' ')
      .map((name) => [name, ['rm', '-rf']]),
  ),
  ...Object.fromEntries('unlink unlinkSync rmdir delete'.split(' ').map((name) => [name, ['rm']])),
  ...Object.fromEntries('rename renameSync replace move mv'.split(' ').map((name) => [name, ['mv']])),
  ...Object.fromEntries(
    'copyFileSync cpSync copyFile copytree copy2 copyfile cp cp_r copy'.split(' ').map((name) => [name, ['cp', '-r']]),
  ),
  ...Object.fromEntries('symlink symlinkSync link linkSync ln_s ln_sf'.split(' ').map((name) => [name, ['ln', '-s']])),
  ...Object.fromEntries('truncate truncateSync'.split(' ').map((name) => [name, ['truncate', '-s0']])),
  ...Object.fromEntries(
    'readFileSync readFile readfile read readlines createReadStream file_get_contents read_text read_bytes readTextFile binread'
      .split(' ')
      .map((name) => [name, ['cat']]),
  ),
}

const writing = new Set(
  'writeFileSync writeFile appendFileSync appendFile createWriteStream file_put_contents write binwrite write_text write_bytes writeTextFile touch'.split(
    ' ',
  ),
)

const running = new Set(
  'system popen popen2 popen3 run call Popen check_output check_call getoutput getstatusoutput exec execute execSync execFile execFileSync spawn spawnSync execa execaSync execaCommand shell_exec passthru proc_open capture2 capture2e capture3 startfile spawnl spawnlp spawnv spawnvp spawnve execl execle execlp execlpe execv execve execvp execvpe pcntl_exec'.split(
    ' ',
  ),
)

/** How languages name the home of the user. */
const homes =
  /\bos\.homedir\(\)|\bhomedir\(\)|\bprocess\.env\.HOME\b|\bPath\.home\(\)|\bDir\.home\b|\bos\.environ\[['"]HOME['"]\]|\bENV\[['"]HOME['"]\]|\bgetenv\(['"]HOME['"]\)/g

/** The calls in a text of Python, JavaScript, Perl, Ruby, PHP or awk. */
export function codeCalls(language: string, code: string): readonly CodeCall[] {
  const text = code
    .slice(0, maxCode)
    .replaceAll(homes, "'~'")
    .replaceAll(/\bunlink\s*\(?\s*glob\s*\(?\s*(?=["'])/g, 'unlink(')
    .replaceAll(/os\.path\.expanduser\(([^()]{0,200})\)/g, '$1')
  const known = variablesIn(text)
  const found: CodeCall[] = []
  const name = /[A-Za-z_$)]/g
  for (let at = 0; at < text.length && found.length < maxCalls;) {
    name.lastIndex = at
    at = name.exec(text)?.index ?? text.length
    if (/[\w$]/.test(text[at - 1] ?? '')) {
      at++
      continue
    }
    calls.lastIndex = at
    const [called] = calls.exec(text) ?? []
    const end = called === undefined ? at : at + called.length
    if (called === undefined || /\w/.test(text[end] ?? '')) {
      const word = /[\w$]*/y
      word.lastIndex = at
      at += Math.max(1, word.exec(text)?.[0].length ?? 1)
      continue
    }
    at = end
    const call = callAt(text, end, called, language, known)
    if (call !== null) found.push(call)
  }
  return [...found, ...quotedCommands(language, text)]
}

function callAt(
  text: string,
  end: number,
  called: string,
  language: string,
  known: ReadonlyMap<string, string>,
): CodeCall | null {
  const last = called.slice(called.lastIndexOf('.') + 1)
  const isLoose = language === 'perl' || language === 'ruby'
  const open = /\s*\(|\s+(?=["'[])/y
  open.lastIndex = end
  const [opened] = open.exec(text) ?? []
  if (opened === undefined || (!opened.includes('(') && !isLoose)) return null
  const args = argumentsAt(text, end + opened.length, known)
  const [first = null, second = null] = args
  if (running.has(last)) return runningCall(args, language, last)
  // Perl has the way it is opened and the path in one text.
  if (last === 'open' && language === 'perl' && args.length === 2 && textOf(second)?.startsWith('>') === true)
    return { kind: 'write', path: (textOf(second) ?? '').replace(/^>+\s*/, '') }
  const path = textOf(first)
  if (path === null || path === unknown) return null
  if (last === 'open') {
    const mode = textOf(second) ?? 'r'
    return /[wax+>]/.test(mode.replace(/^r$/, '')) ? { kind: 'write', path } : { kind: 'words', words: ['cat', path] }
  }
  if (last === 'Path' || last === 'PosixPath') return pathCall(text, path)
  if (last === 'chmod' || last === 'chmodSync' || last === 'chown' || last === 'chownSync') {
    return { kind: 'words', words: [last.slice(0, 5), '+x', path] }
  }
  if (writing.has(last)) return { kind: 'write', path }
  const command = alike[last]
  if (command === undefined) return null
  const others = command[0] === 'mv' || command[0] === 'cp' || command[0] === 'ln' ? args.slice(1, 2) : []
  return { kind: 'words', words: [...command, ...[first, ...others].flatMap((value) => value ?? [])] }
}

/** `Path('x').unlink()`, `.write_text(…)`: what is done to it stands somewhere behind. */
function pathCall(text: string, path: string): CodeCall | null {
  const [, method = ''] =
    /\)\s*\.(unlink|rmdir|write_text|write_bytes|touch|read_text|read_bytes|rename|replace)\(/.exec(text) ?? []
  if (writing.has(method)) return { kind: 'write', path }
  const command = alike[method]
  return command === undefined ? null : { kind: 'words', words: [...command, path] }
}

function runningCall(args: readonly Value[], language: string, last: string): CodeCall | null {
  const [first = null, second = null] = args
  if (first === null) return language === 'awk' ? { kind: 'script', text: unknown } : null
  if (typeof first !== 'string') return { kind: 'words', words: first }
  // A program and a list of what it gets; or all of it one by one.
  if (second !== null && typeof second !== 'string' && second.length > 0) {
    return { kind: 'words', words: /^(?:exec|spawn)[lv]/.test(last) ? second : [first, ...second] }
  }
  const rest = args.slice(1).flatMap((value) => (typeof value === 'string' ? [value] : []))
  if (rest.length > 0 && (language === 'perl' || language === 'ruby' || /^(?:execl|spawnl)/.test(last))) {
    return { kind: 'words', words: [first, ...(/^(?:execl|spawnl)/.test(last) ? rest.slice(1) : rest)] }
  }
  return { kind: 'script', text: first }
}

const textOf = (value: Value): string | null => (typeof value === 'string' ? value : null)

/** Backticks and their like, and what awk pipes into. */
function quotedCommands(language: string, text: string): CodeCall[] {
  const patterns: Readonly<Record<string, RegExp>> = {
    perl: /`([^`]{1,4000})`|\bqx\s*[{(/|]([^})/|]{1,4000})[})/|]/g,
    ruby: /`([^`]{1,4000})`|%x\s*[{(/|[]([^})/|\]]{1,4000})[})/|\]]/g,
    php: /`([^`]{1,4000})`/g,
    node: /\$`([^`]{1,4000})`/g,
    tcl: /(?:^|[;[{\n])\s*(?:exec|spawn)\s+([^;\n\]}]{1,4000})/g,
    awk: /\|&?\s*"([^"\n]{1,4000})"|"([^"\n]{1,4000})"\s*\|\s*getline/g,
  }
  const pattern = patterns[language]
  if (pattern === undefined) return []
  const found: CodeCall[] = []
  if (language === 'tcl') {
    for (const [, words = ''] of text.matchAll(/\bfile\s+delete\s+([^;\n\]}]{1,4000})/g))
      found.push({ kind: 'script', text: `rm -r ${words}` })
  }
  if (language === 'awk') {
    for (const [, path = ''] of text.matchAll(/>\s*"([^"\n]{1,4000})"/g)) {
      if (found.push({ kind: 'write', path }) > maxCalls) break
    }
  }
  for (const [, first, second] of text.matchAll(pattern)) {
    if (found.push({ kind: 'script', text: first ?? second ?? '' }) > maxCalls) break
  }
  return found
}

/** Variables that get one text, and nothing else. */
function variablesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(
    /(?<![\w.])[$@]?([A-Za-z_]\w{0,60}) ?= ?(?:"([^"\n\\]{0,4000})"|'([^'\n\\]{0,4000})')/g,
  )) {
    found.set(name, found.has(name) ? unknown : (double ?? single ?? ''))
    if (found.size > maxCalls) break
  }
  return found
}

/** From behind the opening parenthesis: each argument as its text, as the texts of a list, or null. */
function argumentsAt(text: string, start: number, known: ReadonlyMap<string, string>): Value[] {
  const end = Math.min(text.length, start + maxArgument)
  const values: Value[] = []
  let list: string[] | null = null
  let pieces: string[] = []
  let isKnown = true
  let depth = 0
  const finish = (): void => {
    const value = pieces.length === 0 ? null : isKnown ? pieces.join('') : pieces.join('') + unknown
    if (list === null) values.push(value)
    else if (value !== null) list.push(value)
    pieces = []
    isKnown = true
  }
  for (let at = start; at < end;) {
    const char = text[at] ?? ''
    if (char === '"' || char === "'" || char === '`') {
      const { value, next } = stringAt(text, at, char)
      pieces.push(value)
      at = next
    } else if (char === '[' && pieces.length === 0 && list === null && depth === 0) {
      list = []
      at++
    } else if (char === ']' && list !== null && depth === 0) {
      finish()
      values.push(list)
      list = null
      // What follows up to the comma belongs to nothing.
      pieces = []
      at++
      const comma = /[^,)]*,?/y
      comma.lastIndex = at
      at += comma.exec(text)?.[0].length ?? 0
    } else if (char === ',' && depth === 0) {
      finish()
      at++
    } else if (char === ')' && depth === 0) break
    else if ('([{'.includes(char)) {
      depth++
      isKnown = false
      at++
    } else if (')]}'.includes(char)) {
      depth--
      at++
    } else if (/[\w$@]/.test(char)) {
      const word = /[$@]?[\w.]*/y
      word.lastIndex = at
      const name = word.exec(text)?.[0] ?? char
      at += Math.max(1, name.length)
      const value = known.get(name.replace(/^[$@]/, ''))
      if (/^[furbFURB]{1,2}$/.test(name) && /["']/.test(text[at] ?? '')) continue
      if (value === undefined) {
        if (pieces.length > 0 || depth > 0) isKnown = false
      } else pieces.push(value)
    } else if (char === ';' || char === '}') break
    else at++
  }
  if (list !== null) {
    finish()
    values.push(list)
  } else finish()
  return values
}

/** A text in quotes; what is put into it when the code runs is not known. */
function stringAt(text: string, start: number, quote: string): { readonly value: string; readonly next: number } {
  const isTriple = text.startsWith(quote.repeat(3), start)
  const close = isTriple ? quote.repeat(3) : quote
  let at = start + close.length
  const pieces: string[] = []
  const limit = Math.min(text.length, start + maxArgument)
  while (at < limit && !text.startsWith(close, at)) {
    const char = text[at] ?? ''
    if (char === '\\') {
      const code = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([0-7]{2,3}))/y
      code.lastIndex = at
      const [found, hex, wide, octal] = code.exec(text) ?? []
      const next = text[at + 1] ?? ''
      if (found !== undefined)
        pieces.push(String.fromCodePoint(Number.parseInt(hex ?? wide ?? octal ?? '0', octal === undefined ? 16 : 8)))
      else pieces.push(next === 'n' ? '\n' : next === 't' ? '\t' : next)
      at += found?.length ?? 2
    } else if ((char === '$' || char === '#') && text[at + 1] === '{') {
      const end = text.indexOf('}', at)
      pieces.push(unknown)
      at = end === -1 ? limit : end + 1
    } else {
      pieces.push(char)
      at++
    }
  }
  return { value: pieces.join(''), next: at + close.length }
}
