import { describe, expect, it } from 'vitest'
import { maskArguments, type Mask } from '../../../src/process/mask.ts'

const mountsOf = (mask: Omit<Mask, 'pinned'> & Partial<Mask>): string => {
  const args = maskArguments({ pinned: [], ...mask }, { isRoot: false })
  return args.slice(3, args.indexOf('--unshare-pid')).join(' ')
}

describe('maskArguments', () => {
  it('hides, and shows in what is hidden what is to be seen there', () => {
    expect(mountsOf({ hidden: '/s', readOnly: ['/s/p/given', '/plugin'], writable: ['/s/p/homes', '/project'] })).toBe(
      '--tmpfs /s --ro-bind-try /plugin /plugin --ro-bind-try /s/p/given /s/p/given --bind-try /s/p/homes /s/p/homes --remount-ro /s',
    )
  })

  it('makes no border around a project that nothing covers, also where a name begins alike', () => {
    expect(mountsOf({ hidden: '/s', readOnly: ['/plugin'], writable: ['/plugin-2', '/sub'] })).toBe(
      '--tmpfs /s --ro-bind-try /plugin /plugin --remount-ro /s',
    )
  })

  it('mounts the outer before the inner, whichever of them lies in the other', () => {
    expect(mountsOf({ hidden: '/plugin/state', readOnly: ['/plugin'], writable: ['/plugin/project'] })).toBe(
      '--ro-bind-try /plugin /plugin --tmpfs /plugin/state --bind-try /plugin/project /plugin/project --remount-ro /plugin/state',
    )
    expect(mountsOf({ hidden: '/state', readOnly: ['/state/plugin'], writable: [] })).toBe(
      '--tmpfs /state --ro-bind-try /state/plugin /state/plugin --remount-ro /state',
    )
  })

  it('pins what is above the hidden, but never inside of what is read-only', () => {
    expect(mountsOf({ hidden: '/h/a/s', readOnly: ['/p'], writable: [], pinned: ['/h/a', '/p/a'] })).toBe(
      '--ro-bind-try /p /p --bind-try /h/a /h/a --tmpfs /h/a/s --remount-ro /h/a/s',
    )
  })

  it('takes every capability from a user, and from root those that could take the mask off', () => {
    const mask: Mask = { hidden: '/s', readOnly: [], writable: [], pinned: [] }
    expect(maskArguments(mask, { isRoot: false }).slice(-2)).toEqual(['--cap-drop', 'ALL'])
    const [, kept = ''] = maskArguments(mask, { isRoot: true }).join(' ').split('--cap-drop ALL')
    expect(kept).toContain('CAP_DAC_OVERRIDE')
    expect(kept).not.toMatch(/CAP_(?:SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|MKNOD|SETPCAP|BPF)/)
  })
})
