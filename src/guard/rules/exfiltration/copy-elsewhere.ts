import { hostOf, isThisMachine } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import { isHelp } from '../../targets/is-help.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'

const valued = '-e -i -P -F -o -l -c -S -J --rsh --exclude --include --filter --port --password-file --files-from -D'

/** `host:path` or `rsync://host/path`, and not `C:\x` or `./a:b`. */
const remote = /^(?:(?:rsync|scp|sftp|ssh|ftp):\/\/|[^/:\s]{2,}:)/

/** Programs that carry files to people or machines, and the words with which they only look or fetch. */
const carriers: Readonly<Record<string, RegExp>> = {
  croc: /^(?!send$)/,
  wormhole: /^(?!send$|tx$)/,
  sendmail: /^-bp$/,
  mail: /^-[eHu]/,
  mailx: /^-[eHu]/,
  mutt: /^-v/,
  swaks: /^--help$/,
  msmtp: /^(?:-P|--pretend|--serverinfo)/,
  pastebinit: /^-l$/,
  gist: /^(?:-l|--list|-r)/,
  'transfer.sh': /^-h/,
  tftp: /^get$/,
  ncftpput: /^-h/,
  uuto: /^$/,
  smbclient: /^-L/,
}

export const copyElsewhere: Rule = {
  name: 'copy-elsewhere',
  category: 'exfiltration',
  why: 'Files that are on another machine cannot be called back.',
  instead: 'Leave the result in the project, and let people bring it where it belongs.',
  get programs() {
    return [...'scp rsync sftp ftp lftp ncftp'.split(' '), ...Object.keys(carriers)].join(' ')
  },
  forbids({ name, args, input }) {
    if (isHelp(args)) return null
    if (name === 'scp' || name === 'rsync') {
      if (hasOption(args, name === 'rsync' ? 'n' : '', '--dry-run', '--list-only')) return null
      const target = operandsOf(args, valued).at(-1)
      const isAway =
        target !== undefined && remote.test(target) && !isThisMachine(hostOf(target.replace(/:(?!\/\/).*$/, '')))
      return isAway && operandsOf(args, valued).length > 1 ? `would copy files to ${shownPath(target)}` : null
    }
    if (name === 'sftp' || name === 'ftp' || name === 'lftp' || name === 'ncftp') {
      const isPutting = [...args, ...input.texts].some((text) =>
        /(?:^|[\s;'"])(?:put|mput|reput|mirror\s+(?:-\w*R|--reverse))\b/.test(text.slice(0, 4000)),
      )
      const isBatch = input.files.length > 0 || hasOption(args, 'b')
      return isPutting || isBatch ? `would copy files away with ${name}` : null
    }
    const spared = Object.hasOwn(carriers, name) ? carriers[name] : undefined
    if (spared === undefined || args.length === 0 || spared.test(args[0] ?? '')) return null
    return `would send something away with ${name}`
  },
}
