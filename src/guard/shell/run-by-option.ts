/** The programs of which `runByOption` can tell something, but git. */
export const runningByOption =
  'vim vi nvim view ex gvim vimdiff less more ssh scp sftp sed gsed concurrently fzf gdb tar tmux ' +
  'ag bat mysql chokidar man nodemon rg rsync sort split zip'

/** The scripts that everyday programs are told to run by their options. */
export function runByOption(name: string, args: readonly string[]): readonly string[] {
  if (args.length === 0) return []
  switch (name) {
    case 'vim':
    case 'vi':
    case 'nvim':
    case 'view':
    case 'ex':
    case 'gvim':
    case 'vimdiff':
    case 'less':
    case 'more':
      return inEditor(args)
    case 'ssh':
    case 'scp':
    case 'sftp':
      return connecting(args)
    case 'sed':
    case 'gsed':
      return sedParts(args).run
    case 'concurrently':
      return args.filter((arg) => /\s/.test(arg))
    case 'fzf':
      return inFinder(args)
    case 'gdb':
      return valuesOf(args, '-ex --ex --eval-command').flatMap((text) => match(text, /^\s*(?:shell|!)\s*([^]+)$/))
    case 'git':
      return inGit(args)
    case 'tar':
      return valuesOf(args, tarOptions)
        .filter((text) => !tarActions.test(text))
        .map((text) => text.replace(/^exec=/, ''))
    case 'tmux':
      return inMultiplexer(args)
    default:
      return valuesOf(args, optionsOf(name))
  }
}

/** The options whose value is a command of this machine's. */
function optionsOf(name: string): string {
  switch (name) {
    case 'ag':
    case 'bat':
    case 'mysql':
      return '--pager'
    case 'chokidar':
      return '-c --command'
    case 'man':
      return '-P --pager -H --html'
    case 'nodemon':
      return '-x --exec'
    case 'rg':
      return '--pre --hostname-bin'
    case 'rsync':
      return '-e --rsh'
    case 'sort':
      return '--compress-program'
    case 'split':
      return '--filter'
    case 'zip':
      return '-TT --unzip-command'
    default:
      return ''
  }
}

const match = (text: string, pattern: RegExp): string[] => pattern.exec(text)?.slice(1, 2) ?? []

const tarOptions =
  '--checkpoint-action --to-command --use-compress-program -I --rsh-command --info-script -F --new-volume-script'
const tarActions = /^(?:dot|echo|sleep|ttyout|totals|wait|bell)(?:=|$)/

/** `-x V`, `--exec V`, `--exec=V`. */
function valuesOf(args: readonly string[], names: string): string[] {
  if (names === '') return []
  const options = names.split(' ')
  return args.flatMap((arg, index) => {
    if (options.includes(arg)) return args.slice(index + 1, index + 2)
    const end = arg.indexOf('=')
    return end > 0 && options.includes(arg.slice(0, end)) ? [arg.slice(end + 1)] : []
  })
}

/** `vim -c ':!rm x'`, `vim '+!rm x'`, `less '+!rm x'`. */
function inEditor(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const command =
      args[index - 1] === '-c' || args[index - 1] === '--cmd' ? arg : arg.startsWith('+') ? arg.slice(1) : ''
    const [, text] =
      /^:?\s*(?:silent!?\s+)?(?:%|r|w)?\s*!\s*([^]+)$/.exec(command) ??
      /^:?\s*call\s+system\(['"]([^'"]+)['"]\)/.exec(command) ??
      []
    return text === undefined ? [] : [text]
  })
}

function connecting(args: readonly string[]): string[] {
  return [
    ...valuesOf(args, '-o').flatMap((text) =>
      match(text, /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*([^]*)$/i),
    ),
    ...valuesOf(args, '-S').filter((text) => /\s/.test(text)),
  ]
}

/** `--preview 'cat {}'`, `--bind 'enter:become(rm {})'`. */
function inFinder(args: readonly string[]): string[] {
  const bound = valuesOf(args, '--bind').flatMap((text) =>
    [...text.matchAll(/\b(?:execute|become|reload|transform|preview)[\w-]*[:([{]([^)\]}]+)/g)].map(
      ([, run = '']) => run,
    ),
  )
  return [...valuesOf(args, '--preview'), ...bound]
}

const gitOptions = '--exec --tree-filter --index-filter --msg-filter --env-filter --commit-filter --extcmd'
const gitRuns = /^(?:submodule foreach|bisect run)$/

function inGit(args: readonly string[]): string[] {
  const found = valuesOf(args, args.includes('rebase') ? `${gitOptions} -x` : gitOptions)
  const at = args.findIndex((arg, index) => gitRuns.test(`${arg} ${args[index + 1] ?? ''}`))
  if (at === -1) return found
  const words = args.slice(at + 2)
  return [...found, words.slice(words.findIndex((word) => !word.startsWith('-'))).join(' ')]
}

const tmuxVerbs =
  /^(?:new|new-session|neww|new-window|splitw|split-window|respawn[pw]|respawn-pane|respawn-window|run|run-shell|if|if-shell|pipep|pipe-pane|send|send-keys|popup|display-popup)$/
const tmuxValued = /^-[a-zA-Z]*[cDeFhlnpRsStTwxXyY]$/

/** `tmux new -d 'rm x'`, `tmux send-keys -t a 'rm x' Enter`. */
function inMultiplexer(args: readonly string[]): string[] {
  const at = args.findIndex((arg) => tmuxVerbs.test(arg))
  if (at === -1) return []
  const words = args
    .slice(at + 1)
    .filter((arg, index, all) => !arg.startsWith('-') && !tmuxValued.test(all[index - 1] ?? ''))
    .filter((arg) => !/^(?:Enter|C-[a-z]|KPEnter)$/.test(arg))
  return words.length === 0 ? [] : [words.join(' ')]
}

/** What scripts of sed run, and which files they write. */
export function sedParts(args: readonly string[]): {
  readonly run: readonly string[]
  readonly written: readonly string[]
} {
  const given = valuesOf(args, '-e --expression')
  const first = args.find((arg, index) => !arg.startsWith('-') && !/^-[A-Za-z]*[ef]$/.test(args[index - 1] ?? ''))
  const script = (given.length > 0 ? given.join('\n') : (first ?? '')).slice(0, maxSed)
  const run: string[] = []
  const written: string[] = []
  for (const line of script.split(/[\n;]/)) {
    const text = line.replace(/^[\d,$!~+{ ]*/, '')
    const [letter = '', mark = ''] = text
    if (letter === 'e') run.push(text.slice(1))
    else if (letter === 'w' || letter === 'W') written.push(text.slice(1).trim())
    else if (letter === 's') {
      const [, , replacement = '', flags = ''] = text.replaceAll(`\\${mark}`, ' ').split(mark)
      if (/^[\dgpIiMm]*e/.test(flags)) run.push(replacement)
      const at = flags.indexOf('w')
      if (at !== -1) written.push(flags.slice(at + 1).trim(), text.slice(text.lastIndexOf(' ') + 1))
    }
  }
  return { run, written: written.filter((file) => file !== '') }
}

const maxSed = 20_000

/** The programs that let people write or read something, and start what these variables say for it. */
const asking = /^(?:git|hg|svn|gh|glab|man|crontab|kubectl|oc|psql|mysql|systemctl|journalctl|visudo|fc)$/
const started =
  'EDITOR VISUAL PAGER MANPAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GH_EDITOR GH_PAGER KUBE_EDITOR PSQL_EDITOR PSQL_PAGER BROWSER'

export function startedBy(name: string, environment: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (environment.size === 0 || !asking.test(name)) return []
  return started.split(' ').flatMap((variable) => environment.get(variable) ?? [])
}

/** What `make` runs of a file that comes on its standard input, or of `--eval`. */
export function recipesOf(name: string, args: readonly string[], texts: readonly string[]): readonly string[] {
  if (name !== 'make' && name !== 'gmake') return []
  const given = valuesOf(args, '-f --file --makefile')
  const read = given.length > 0 ? texts : []
  return [...read, ...valuesOf(args, '--eval')].flatMap((text) =>
    text.split('\n').flatMap((line) => {
      const at = line.startsWith('\t') ? 0 : line.indexOf(';')
      return at === -1 ? [] : [line.slice(at + 1).replace(/^[@+\s-]*/, '')]
    }),
  )
}
