import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'

const onDevice = /^(?:\/dev\/(?!shm\/)|disk\d|r?disk\d|[A-Za-z]:$)/

/** They make something new of a device, or of a file that is an image of one. */
const makers =
  /^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_.+)?|mkswap|mkdosfs|mkntfs|mkexfatfs|wipefs|blkdiscard|badblocks|resize2fs|tune2fs|xfs_admin|e2fsck|fsck(?:\..+)?|xfs_repair|debugfs|format|mkvdev)$/

/** They look as long as they are told nothing else. */
const editors: Readonly<Record<string, RegExp>> = {
  fdisk: /^(?:-l|--list)$/,
  gdisk: /^-l$/,
  sgdisk: /^(?:-p|-i.*|--print|--info.*|-v|--verify|-b.*|--backup.*)$/,
  sfdisk: /^(?:-l|-d|-J|-s|-F|--list|--dump|--json|--show-size|--list-free|--verify|-V)$/,
  parted: /^(?:-l|--list|print)$/,
  hdparm: /^-[aAcCdgiIkmrtTWz]+$/,
}

const never = new Set('cfdisk cgdisk gparted diskpart sdparm ntfsresize testdisk flashrom blkzone'.split(' '))

/** By program: the words that make it destroy something, among its first operands. */
const verbs: Readonly<Record<string, RegExp>> = {
  diskutil:
    /^(?:erase.*|zerodisk|randomdisk|secureerase|partitiondisk|reformat|splitpartition|mergepartitions|resizevolume|deletecontainer|deletevolume\w*|delete|addpartition|unmount\w*|eject|apfs|appleraid|corestorage|cs|ar)$/i,
  nvme: /^(?:format|sanitize|write-zeroes|write-uncor|delete-ns|dsm|write|fw-.*|reset|subsystem-reset)$/,
  cryptsetup: /^(?:luksformat|reencrypt|erase|lukserase|lukskillslot|luksremovekey|luksheaderrestore|format)$/i,
  zpool: /^(?:destroy|labelclear|create|remove|detach|offline|export|split)$/,
  zfs: /^(?:destroy|rollback|receive|recv)$/,
  lvm: /^(?:lvremove|vgremove|pvremove|lvreduce)$/,
  btrfs: /^(?:delete|remove|del|rescue|replace)$/,
  asr: /^restore$/,
  storcli: /^(?:del|delete)$/,
}

const remove = new Set('lvremove vgremove pvremove lvreduce pvcreate vgreduce mkfs.btrfs zerofree'.split(' '))

export const formatDisk: Rule = {
  name: 'format-disk',
  category: 'disks-and-boot',
  why: 'It takes away all that is on a disk or a volume.',
  instead: 'Work with files in the project; for tests, with an image of a disk in it.',
  get programs() {
    return [
      ...'mkfs* mke2fs newfs* mkswap mkdosfs mkntfs mkexfatfs wipefs blkdiscard badblocks resize2fs tune2fs'.split(' '),
      ...'xfs_admin e2fsck fsck* xfs_repair debugfs format mkvdev mdadm'.split(' '),
      ...Object.keys(editors),
      ...never,
      ...Object.keys(verbs),
      ...remove,
    ].join(' ')
  },
  forbids({ name, args }) {
    const reads = editors[name]
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    const operands = operandsOf(args, '-t --type -L -U -n')
    if (isHelp(args)) return null
    if (makers.test(name)) {
      const isLooking = /^(?:fsck|e2fsck|xfs_repair|debugfs|badblocks)/.test(name) && !hasOption(args, 'ypawDR')
      const isListing = name === 'wipefs' && !hasOption(args, 'ao', '--all', '--offset')
      return isLooking || isListing || !operands.some((word) => onDevice.test(word))
        ? null
        : `would run ${name} on a disk`
    }
    if (Object.hasOwn(editors, name) && reads !== undefined) {
      const isReading = args.length === 0 || args.some((arg) => reads.test(arg))
      const isErasing = args.some((arg) => /^--(?:security|trim|make-bad|write-sector|fwdownload|dco|yes-i)/.test(arg))
      return isReading && !isErasing ? null : `would change a disk with ${name}`
    }
    if (never.has(name) || remove.has(name)) return `would change a disk with ${name}`
    if (verb !== undefined && operands.slice(0, 3).some((word) => verb.test(word))) {
      const isList = operands.some((word) => /^(?:list|info|show|status)$/.test(word))
      return isList ? null : `would change a disk with ${name} ${operands.slice(0, 2).join(' ')}`
    }
    if (name === 'mdadm') {
      const isWrong = args.some((arg) =>
        /^(?:--zero-superblock|--stop|-S|--create|-C|--fail|-f|--remove|-r)$/.test(arg),
      )
      return isWrong ? 'would take a disk array apart' : null
    }
    return null
  },
}
