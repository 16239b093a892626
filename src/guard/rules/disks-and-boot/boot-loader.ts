import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf } from '../../targets/operands.ts'

const always = new Set(
  (
    'grub-install grub2-install grub-set-default grub-reboot update-grub update-grub2 lilo extlinux syslinux ' +
    'update-initramfs mkinitramfs mkinitcpio dracut kexec flashrom bootrec bootsect ' +
    'installkernel'
  ).split(' '),
)

/** By program: what only looks. */
const looking: Readonly<Record<string, RegExp>> = {
  efibootmgr: /^(?:-v|--verbose|-u|--unicode)$/,
  bootctl: /^(?:status|list|is-installed|--print-.*|-p|-x|--no-pager)$/,
  nvram: /^-[px]+$/,
  csrutil: /^(?:status|report|authenticated-root)$/,
  bless: /^--(?:info|getBoot|verbose|plist)|^\//,
  bcdedit: /^\/(?:enum|v)/i,
  mokutil: /^--(?:sb-state|list-\S+|test-key|pk|kek|db|dbx)|^\//,
  sbctl: /^(?:status|verify|list-\S+)$/,
  'grub-editenv': /^(?:-|list|\/\S+)$/,
  fwupdmgr: /^(?:get-.*|security|--json)$/,
}

export const bootLoader: Rule = {
  name: 'boot-loader',
  category: 'disks-and-boot',
  why: 'A machine whose start was changed may not start again.',
  instead: 'Leave it to the people who own the machine.',
  get programs() {
    return [...always, ...Object.keys(looking)].join(' ')
  },
  forbids({ name, args }) {
    if (isHelp(args)) return null
    if (always.has(name)) return `would change how the machine starts (${name})`
    const looks = Object.hasOwn(looking, name) ? looking[name] : undefined
    if (looks === undefined || args.every((arg) => looks.test(arg))) return null
    // `nvram NAME` prints a value.
    if (
      name === 'nvram' &&
      operandsOf(args).every((word) => !word.includes('=')) &&
      !args.some((arg) => /^-[cdf]/.test(arg))
    )
      return null
    return `would change how the machine starts (${name})`
  },
}
