import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { says, type Sayings } from '../../targets/says.ts'

const always = new Set(
  (
    'useradd adduser usermod userdel deluser groupadd addgroup groupmod groupdel delgroup gpasswd passwd chpasswd chgpasswd newusers ' +
    'chsh chfn pwconv pwunconv grpconv pam-auth-update authconfig authselect faillock'
  ).split(' '),
)

const told: Sayings = {
  chage: /^(?!-l\b|--list)/,
  dscl: /(?:^|\s)-?(?:create|append|merge|delete|passwd|change)\b/,
  dseditgroup: /(?:^|\s)-o (?:edit|create|delete)\b/,
  sysadminctl: /-(?:addUser|deleteUser|resetPasswordFor|newPassword|adminUser|secureTokenOn)/,
  dsenableroot: /^/,
  net: /^(?:user|localgroup)\b.*\/(?:add|delete|active)/i,
  homectl: /^(?:create|remove|passwd|update)\b/,
  smbpasswd: /^/,
  samba_tool: /^user (?:create|delete|setpassword)/,
  'ssh-keygen': /(?:^|\s)-A\b/,
  loginctl: /^enable-linger\b/,
}

export const accounts: Rule = {
  name: 'accounts',
  category: 'privilege-escalation',
  why: 'Users, groups and passwords decide who may do what on the machine.',
  instead: 'Leave them to the people who own the machine; inside of an image they belong into a Dockerfile.',
  get programs() {
    return [...always, ...Object.keys(told)].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    const isAsking = isHelp(args) || (name === 'passwd' && /^(?:-S|--status|-Sa)$/.test(args[0] ?? ''))
    if (always.has(name) && !isAsking) return `would change who may do what (${name})`
    return says(told, command) ? `would change who may do what (${name})` : null
  },
}
