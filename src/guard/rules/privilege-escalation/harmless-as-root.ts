import type { Ran } from '../../shell/trace.ts'
import { operandsOf } from '../../targets/operands.ts'
import { says, type Sayings } from '../../targets/says.ts'

/** What only looks, or is held by other rules whoever runs it. */
const looking = new Set(
  (
    'git ls cat head tail less stat file du df wc grep rg id whoami groups echo printf true false test [ pwd date uname hostname uptime which ' +
    'ps top htop pgrep ss netstat lsof lsblk blkid journalctl dmesg docker docker-compose podman free tcpdump realpath readlink ' +
    'md5sum sha256sum sysctl mount fdisk tree diff sort crictl nvidia-smi last w who'
  ).split(' '),
)

/** Packages of the system's own repositories, and services that are looked at or started. */
const told: Sayings = {
  apt: /^(?:-\S+ )*(?:install|update|list|show|search|policy|satisfy)\b/,
  'apt-get': /^(?:-\S+ )*(?:install|update|build-dep|download)\b/,
  aptitude: /^(?:install|update|search|show)\b/,
  dnf: /^(?:-\S+ )*(?:install|makecache|list|info|search|check-update|builddep|groupinstall)\b/,
  yum: /^(?:-\S+ )*(?:install|makecache|list|info|search|check-update|groupinstall)\b/,
  microdnf: /^(?:-\S+ )*install\b/,
  apk: /^(?:-\S+ )*(?:add|update|info|search)\b/,
  pacman: /^-(?:S[yus]*|Q\w*|Ss|Si)(?: |$)/,
  zypper: /^(?:-\S+ )*(?:install|in|refresh|search|info)\b/,
  port: /^(?:install|selfupdate|search)\b/,
  systemctl:
    /^(?:-\S+ )*(?:status|is-active|is-enabled|is-failed|list-\S+|show|cat|start|restart|reload|daemon-reload)\b/,
  service: /^\S+ (?:status|start|restart|reload)\b/,
  nginx: /^-[tTvV]+$/,
  find: /^(?!.*(?:-delete|-exec|-ok|-fprint|-fls))/,
}

/** Whether a command may be run with the rights of root: it changes little, and nothing for good. */
export function harmlessAsRoot(command: Ran): boolean {
  if (looking.has(command.name)) return command.writes.length === 0
  if (says(told, command))
    return operandsOf(command.args).every((word) => !/^(?:https?:|\/(?!dev\/null)\S+\.(?:deb|rpm|apk)$)/.test(word))
  return false
}
