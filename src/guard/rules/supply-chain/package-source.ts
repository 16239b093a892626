import { withWords } from '../../among.ts'
import { grammar, readOptions } from '../../options.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'

export const packageSource: Rule = {
  name: 'package-source',
  category: 'supply-chain',
  why: 'Packages run code when they are installed, so it matters where they come from.',
  instead:
    'Take them from the registry that the project uses, or write the source into its own configuration for review.',
  get programs() {
    const often = ['npm', 'pnpm', 'yarn', 'bun']
    return [
      ...[...managers].filter((name) => !often.includes(name)),
      ...often.map((name) => withWords(name, ['set', ':'])),
    ].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    if (!managers.has(name)) return null
    if (isSourceSet(name, args)) return 'would make a package manager look for packages elsewhere, for good'
    const strange = sourcesIn(command).find((url) => isStrange(url))
    return strange === undefined ? null : 'would install from where nobody can tell who answers'
  },
}

const managers = new Set(
  'npm npx pnpm pnpx yarn bun bunx pip pip2 pip3 pipx uv uvx poetry pdm conda mamba gem bundle cargo go composer deno brew apt apt-get dnf yum rpm dpkg apk pacman python python3 easy_install'.split(
    ' ',
  ),
)

const sourceOptions = grammar(
  '-i --index-url --extra-index-url -f --find-links --registry --source -s --repository --default-index --index --from -c --channel --clear-sources',
)

const installing = new Set([
  'install',
  'i',
  'add',
  'ci',
  'update',
  'upgrade',
  'download',
  'wheel',
  'sync',
  'tool',
  'exec',
  'x',
  'dlx',
  'run',
  'in',
  '-i',
  '-U',
  '-ivh',
  '-Uvh',
  'pip',
  'get',
  '-m',
])

function sourcesIn({ name, args }: Ran): string[] {
  const options = readOptions(args, sourceOptions)
  const isRunner = name.endsWith('x')
  if (!isRunner && !args.some((arg) => installing.has(arg))) return []
  const given = options.values(
    '-i',
    '--index-url',
    '--extra-index-url',
    '-f',
    '--find-links',
    '--registry',
    '--source',
    '--default-index',
    '--index',
  )
  return [...given, ...options.operands].filter(
    (text) => /^(?:git\+)?(?:https?|git|ftp):\/\//i.test(text) || /^[\w.-]+ @ http/i.test(text),
  )
}

/** Not encrypted, or a bare address: anybody can answer. This machine may. */
function isStrange(url: string): boolean {
  const [, scheme = '', host = ''] = /(?:git\+)?(https?|git|ftp):\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(url) ?? []
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[a-z0-9-]+)$/i.test(host)) return false
  if (/^\d+(?:\.\d+){3}$|^\[/.test(host)) return true
  if (scheme.toLowerCase() !== 'https') return true
  return (
    drops.test(host) ||
    (/\.(?:sh|py|m?[jt]s|tgz|tar\.gz|zip|whl|gem|deb|rpm)(?:[?#]|$)/i.test(url) && !known.test(host))
  )
}

/** Where anybody may put anything for a while. */
const drops =
  /(?:^|\.)(?:pastebin\.com|paste\.ee|hastebin\.com|transfer\.sh|file\.io|0x0\.st|ngrok\.io|ngrok-free\.app|trycloudflare\.com|webhook\.site|requestbin\.com|pipedream\.net|bit\.ly|tinyurl\.com|discordapp\.com|oast\.(?:fun|pro|me|live))$/i

const known =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|npmjs\.org|yarnpkg\.com|pypi\.org|pythonhosted\.org|pytorch\.org|nvidia\.com|crates\.io|rubygems\.org|golang\.org|anaconda\.org|conda\.io|debian\.org|ubuntu\.com|fedoraproject\.org|docker\.com|google\.com|googleapis\.com|microsoft\.com|nodesource\.com|deno\.land|jsr\.io|esm\.sh|amazonaws\.com|huggingface\.co|apache\.org|mozilla\.org|gnu\.org|kernel\.org|sheetjs\.com|example\.com)$/i

const officials =
  /^https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|pypi\.org|rubygems\.org|index\.crates\.io|proxy\.golang\.org)(?:[/,]|$)/

/** `npm config set registry …` and the like. */
function isSourceSet(name: string, args: readonly string[]): boolean {
  const words = args.filter((arg) => !/^(?:-g|--global|-L|--location|user|project|--user|--site|--home|-w)$/.test(arg))
  const [first = '', second = '', third = '', fourth = ''] = words
  const isSet = (first === 'config' || first === 'c') && second === 'set'
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    const [key, value] = first === 'set' ? [second, third] : isSet ? [third, fourth] : ['', '']
    return isSourceKey(key, value)
  }
  if (name.startsWith('pip')) return isSet && isSourceKey(third.replace(/^.*\./, ''), fourth)
  if (name === 'gem')
    return (
      first === 'sources' &&
      words.some((arg) => /^(?:-a|--add)$/.test(arg)) &&
      !words.some((arg) => officials.test(arg))
    )
  if (name === 'go')
    return (
      first === 'env' &&
      args.includes('-w') &&
      words.some(
        (arg) =>
          /^(?:GOPROXY|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOINSECURE|GOFLAGS|GOTOOLCHAIN)=/.test(arg) &&
          !/=(?:https:\/\/proxy\.golang\.org|direct|off$)/.test(arg),
      )
    )
  if (name === 'bundle') return first === 'config' && words.some((arg) => arg.startsWith('mirror.'))
  if (name === 'poetry') return first === 'source' && second === 'add' && words.some(isStrange)
  return (
    /^(?:conda|mamba)$/.test(name) && first === 'config' && words.some((arg) => isStrange(arg) && /:\/\//.test(arg))
  )
}

function isSourceKey(given: string, second: string): boolean {
  const end = given.indexOf('=')
  const key = end === -1 ? given : given.slice(0, end)
  const value = end === -1 ? second : given.slice(end + 1)
  if (/(?:^|:)(?:registry|npmRegistryServer|index-url|extra-index-url|find-links)$/.test(key))
    return !officials.test(value) && !/^https?:\/\/(?:localhost|127\.0\.0\.1)/.test(value)
  if (
    /^(?:strict-ssl|cafile|ca|proxy|https-proxy|http-proxy|httpProxy|httpsProxy|trusted-host|enableStrictSsl)$/.test(
      key,
    )
  )
    return value !== '' && value !== 'true' && value !== 'null'
  return /^(?:script-shell|node-options|git|editor|_auth|.*:_authToken|init-module|unsafe-perm)$/.test(key)
}
