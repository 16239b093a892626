import { isAmong, withWords, worded } from '../../among.ts'
import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf } from '../../targets/operands.ts'

/** By program: its words, joined, that make it hand out what opens other doors. */
const handing: Readonly<Record<string, RegExp>> = {
  gh: /^auth (?:token|status .*(?:-t|--show-token))\b|^auth status (?:-t|--show-token)/,
  glab: /^auth (?:token|status .*(?:-t|--show-token))|^auth status (?:-t|--show-token)/,
  gcloud:
    /\bauth (?:print-(?:access|identity)-token|application-default print-access-token)|\bsecrets versions access\b|\bkms decrypt\b|service-accounts keys create\b|config config-helper\b/,
  aws: /\bconfigure (?:export-credentials|get \S*(?:secret|token|key))|\bsecretsmanager (?:get-secret-value|batch-get-secret-value)\b|\bssm get-parameters?(?:-by-path)? .*--with-decryption|\bsts (?:get-session-token|assume-role\S*|get-federation-token)\b|\biam create-access-key\b|\bkms decrypt\b|\brds generate-db-auth-token\b/,
  az: /\baccount get-access-token\b|\bkeyvault secret (?:show|download|backup)\b|\bkeyvault key (?:download|backup)\b|\bkeys list\b|\badmin-credentials\b|\bcredential show\b|\bshow-connection-string\b|\bad sp create-for-rbac\b/,
  doctl: /\bauth token\b|\bdatabases connection\b/,
  heroku: /^(?:auth:token|config(?::get)?(?: |$)|redis:credentials|pg:credentials)/,
  fly: /^(?:auth token|tokens? create)/,
  flyctl: /^(?:auth token|tokens? create)/,
  vercel: /^env pull\b/,
  netlify: /^env:(?:get|list)\b/,
  railway: /^variables\b/,
  supabase: /^projects api-keys\b/,
  kubectl:
    /^(?:.* )?(?:get|edit) (?:.* )?(?:secrets?\b|\S*,secrets?\b).* ?(?:-o|--output|--template|-oyaml|-ojson|-o=)|^(?:.* )?edit (?:.* )?secrets?\b|^(?:.* )?config view .*--raw|^(?:.* )?create token\b|^(?:.* )?view-secret\b/,
  oc: /^(?:.* )?whoami (?:-t|--show-token)|^(?:.* )?get (?:.* )?secrets?\b.* ?(?:-o|--output)|^(?:.* )?extract (?:.* )?secret/,
  vault: /^(?:read|kv get|token create|login|print token|operator (?:init|generate-root)|unwrap)\b/,
  op: /^(?:read|item get|signin|document get|inject|get)\b/,
  bw: /^(?:get|list|unlock|export|login)\b/,
  lpass: /^(?:show|export|ls|login)\b/,
  pass: /^(?!git\b|version|help|insert|generate|init|ls$|list$|find\b)\S/,
  gopass: /^(?:show|cat|\S+\/\S+)/,
  doppler: /^(?:secrets(?: (?:get|download))?|run --command)\b/,
  infisical: /^(?:secrets|export)\b/,
  chamber: /^(?:read|export|env)\b/,
  sops: /^(?:.* )?(?:-d|--decrypt|decrypt|exec-env|edit)\b/,
  age: /^(?:.* )?(?:-d|--decrypt)\b/,
  'ansible-vault': /^(?:view|decrypt|edit)\b/,
  security: /^(?:-\S+ )*(?:find-(?:generic|internet)-password|dump-keychain|export|find-key|unlock-keychain)\b/,
  'secret-tool': /^(?:lookup|search)\b/,
  'kwallet-query': /-r/,
  git: /^(?:-\S+ (?:\S+ )?)*credential(?:-[a-z]+)? (?:.* )?(?:fill|get)\b|^config (?:.* )?--get\S* http\.\S*extraheader/i,
  getent: /^g?shadow\b/,
  keyring: /^get\b/,
  'ssh-keygen': /(?:^| )-\w*[yp]\w*(?: |$)/,
  terraform: /^(?:-\S+ )*output (?:.* )?-raw\b/,
  tofu: /^(?:-\S+ )*output (?:.* )?-raw\b/,
  gpg: /(?:^| )--export-secret-(?:keys|subkeys)|--export-ssh-secret/,
  gpg2: /(?:^| )--export-secret-(?:keys|subkeys)/,
  'gpg-connect-agent': /export_key/i,
  keytool: /-exportsecret|-importkeystore/,
  netsh: /wlan .*key=clear/,
  cmdkey: /\/list/,
  docker: /^inspect .*\.Config\.Env\b/,
  npm: /^(?:token create|config get .*_?auth)/,
  rclone: /^config (?:show|dump|file)|^reveal\b/,
  wrangler: /^auth token\b/,
  sqlite3: /\/(?:Login Data|Cookies|key4\.db|cookies\.sqlite)\b/,
}

/** Programs that are for nothing else. */
const always = new Set(
  (
    'mimikatz lazagne john hashcat ncrack secretsdump.py impacket-secretsdump unshadow pypykatz ' +
    'chainbreaker keychaindump ssh-keydump mimipenguin gcore'
  ).split(' '),
)

export const credentialCommand: Rule = {
  name: 'credential-command',
  category: 'credentials',
  why: 'It hands out what opens other doors, and whatever you read can end up in a log or a commit.',
  instead: 'Let programs take their keys from where they are kept; list names instead of values.',
  get programs() {
    return [
      ...Object.keys(handing).filter((name) => !isAmong(worded, name)),
      withWords('npm', ['token', 'config']),
      withWords('git', ['credential*', 'config']),
      withWords('docker', ['inspect']),
      ...always,
      'docker-credential-*',
    ].join(' ')
  },
  forbids({ name, args }) {
    if (isHelp(args)) return null
    if (always.has(name)) return `would look for credentials (${name})`
    if (name.startsWith('docker-credential-'))
      return operandsOf(args).some((arg) => arg === 'get' || arg === 'list') ? 'would print credentials' : null
    const pattern = Object.hasOwn(handing, name) ? handing[name] : undefined
    if (pattern === undefined || args.length === 0) return null
    const text = args.slice(0, 40).join(' ').slice(0, 600)
    return pattern.test(text) ? `would print credentials (${name} ${operandsOf(args).slice(0, 2).join(' ')})` : null
  },
}
