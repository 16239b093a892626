import type { Place } from './place.ts'
import { isWild, namesMatch, unknown } from './shell/pattern.ts'
import { locate, maxPath } from './zone.ts'

/**
 * - `key`: of the user or the machine.
 * - `secret`: settings with secrets in them, wherever they are; they may be made, not read.
 * - `certificate`: a file that may have a private key in it; it may be made and removed, not read.
 */
export type Credential = 'key' | 'secret' | 'certificate'

/** In a home; a directory stands for all that is in it. */
const inHome = [
  '.ssh .gnupg .password-store .aws/credentials .aws/config .aws/sso .aws/cli .azure .kube/config .netrc .git-credentials',
  '.config/git/credentials .config/gh/hosts.yml .config/hub .config/glab-cli .npmrc .yarnrc.yml .pypirc .gem/credentials',
  '.cargo/credentials .cargo/credentials.toml .docker/config.json .config/gcloud .boto .s3cfg .terraformrc .terraform.d/credentials.tfrc.json',
  '.vault-token .pgpass .my.cnf .mylogin.cnf .config/rclone .config/op .op .config/bitwarden%20cli .config/doctl .config/hcloud',
  '.config/heroku .config/netlify .config/stripe .config/anthropic .config/openai .config/sops .config/age .config/ngrok .fly/config.yml',
  '.databrickscfg .snowflake .snowsql .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json',
  '.config/composer/auth.json .circleci/cli.yml .sentryclirc .local/share/keyrings .gnome2/keyrings .kde/share/apps/kwallet library/keychains',
  '.mozilla .config/google-chrome .config/chromium .config/bravesoftware library/application%20support/google/chrome',
  'library/application%20support/firefox library/cookies .bitcoin .ethereum .electrum .config/solana .claude/.credentials.json',
  '.codex/auth.json .gemini/oauth_creds.json .config/github-copilot .local/share/opencode/auth.json .bash_history .zsh_history',
  '.python_history .psql_history .mysql_history .node_repl_history .rediscli_history .authinfo .authinfo.gpg',
]
  .flatMap((line) => line.split(' '))
  .map((path) => path.split('/').map((name) => name.replaceAll('%20', ' ')))

/** Of all that is in `.ssh`, these are for everybody. */
const open = /^\.ssh\/(?:known_hosts(?:\.old)?|[^/]+\.pub)$/

const onMachine =
  /^\/(?:private\/)?(?:etc\/(?:shadow|gshadow|sudoers|security\/opasswd|master\.passwd)[-~]?|etc\/(?:sudoers\.d|ssl\/private|letsencrypt|kubernetes|wireguard|openvpn|ipsec\.secrets|krb5\.keytab|rancher)(?:\/.*)?|etc\/ssh\/ssh_host_[^/]*_key|(?:var\/)?run\/secrets(?:\/.*)?|proc\/[^/]+\/(?:environ|mem)|proc\/kcore|dev\/k?mem|var\/lib\/(?:jenkins\/secrets|kubelet\/pki)(?:\/.*)?|var\/db\/dslocal(?:\/.*)?|library\/keychains(?:\/.*)?)$/

const environment =
  /^\.env(?:\.(?!(?:[\w-]+\.)*(?:example|examples|sample|template|tmpl|tpl|dist|default|defaults|schema|test|testing|ci|vault|ts|js|mjs|md)$)[\w.-]+)?$/
/** `production.env` is such a file too. */
const named = /^(?!.*(?:example|sample|template|test|default|dist|ci\b)).+\.env$/
const keyFile =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?|credentials\.(?:json|ya?ml|toml|ini|csv|xml|db)|(?:client[-_])?secrets?\.(?:json|ya?ml|toml|env|ini|properties)|service[-_]?account(?:[-_]?key)?\.json|\.htpasswd|\.pgpass|\.netrc|\.git-credentials|\.vault[-_]pass(?:word)?(?:\.txt)?|.+\.(?:p12|pfx|jks|keystore|kdbx|ppk|keytab|agekey))$/
const pemFile = /^(?!.*(?:cert|crt|chain|ca\b|ca[-_]|pub|csr|dhparam|bundle|root)).+\.(?:pem|key)$/

/** What is in such a directory opens nothing. */
const madeUp =
  /^(?:__)?(?:tests?|specs?|fixtures?|testdata|test-data|examples?|samples?|mocks?|stubs?|node_modules|site-packages)(?:__)?$/

/** What a path leads to, by its names; null: nothing that opens other doors. */
export function credentialAt(path: string, place: Place): Credential | null {
  if (path.length > maxPath) return null
  const names = namesOf(path.toLowerCase())
  if (onMachine.test(`/${names.join('/')}`)) return 'key'
  const inside = homeNames(path, names, place)
  if (inside.some((rest) => isListed(rest) && !open.test(rest.join('/')))) return 'key'
  if (names.some((name) => madeUp.test(name)) || locate(path, place).zone === 'temporary') return null
  const last = names.at(-1) ?? ''
  if (isWild(last)) {
    if (/\.(?:pem|key)$/.test(last) && pemFile.test(last)) return 'certificate'
    return ['.env', '.env.local', 'id_rsa'].some((name) => namesMatch(last, name)) && last.length > 3 ? 'secret' : null
  }
  if (environment.test(last) || named.test(last) || keyFile.test(last)) return 'secret'
  return pemFile.test(last) ? 'certificate' : null
}

const isListed = (rest: readonly string[]): boolean =>
  inHome.some(
    (entry) => entry.length <= rest.length && entry.every((name, index) => namesMatch(rest[index] ?? '', name)),
  )

/** What is behind the home; where the beginning is unknown, behind each name of it. */
function homeNames(path: string, names: readonly string[], { home }: Place): (readonly string[])[] {
  if (path.startsWith(unknown) || isWild(names[0] ?? ''))
    return names.map((_, index) => names.slice(index)).filter(([first = '']) => !isWild(first))
  const own = namesOf(home.toLowerCase())
  const found: (readonly string[])[] = []
  if (own.every((name, index) => names[index] === name)) found.push(names.slice(own.length))
  if (names[0] === 'root' || names[0] === '~root') found.push(names.slice(1))
  if (names[0] === 'home' || names[0] === 'users') found.push(names.slice(2))
  return found
}

function namesOf(path: string): string[] {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}
