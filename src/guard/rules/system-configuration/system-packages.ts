import type { Rule } from '../../rule.ts'
import { says, type Sayings } from '../../targets/says.ts'

const removing =
  /^(?:-\S+ )*(?:remove|purge|autoremove|autopurge|erase|dist-upgrade|full-upgrade|distro-sync|downgrade|upgrade|groupremove|swap|rm|dup)\b/

const told: Sayings = {
  apt: removing,
  'apt-get': removing,
  aptitude: removing,
  dnf: removing,
  yum: removing,
  zypper: removing,
  dpkg: /(?:^|\s)(?:-r|-P|--remove|--purge|--force-\S+|--clear-selections)\b/,
  rpm: /(?:^|\s)(?:-e|--erase|--nodeps|--rebuilddb)\b/,
  pacman: /^-(?:R\w*|S\w*cc|S\w*yu\w*)\b/,
  apk: /^(?:-\S+ )*(?:del|upgrade|fix)\b/,
  emerge: /(?:^|\s)(?:-C|--unmerge|--depclean|-c)\b/,
  snap: /^(?:remove|purge|disable|revert)\b/,
  flatpak: /^(?:uninstall|remove)\b/,
  brew: /^(?:uninstall|remove|rm|autoremove|untap|unlink)\b(?!.*--dry-run)/,
  port: /^(?:uninstall|deactivate)\b/,
  choco: /^uninstall\b/,
  winget: /^uninstall\b/,
  scoop: /^uninstall\b/,
  'do-release-upgrade': /^/,
  'nix-collect-garbage': /^/,
}

export const systemPackages: Rule = {
  name: 'system-packages',
  category: 'system-configuration',
  why: 'Other programs of the machine need what it takes away or replaces.',
  instead: "Leave the machine's programs as they are; what the project needs belongs to its own dependencies.",
  get programs() {
    return Object.keys(told).join(' ')
  },
  forbids(command) {
    const isDry = command.args.some((arg) => /^(?:-s|--simulate|--dry-run|--just-print|--no-act|--test)$/.test(arg))
    return !isDry && says(told, command) ? `would take programs of the machine away (${command.name})` : null
  },
}
