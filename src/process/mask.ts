import { sep } from 'node:path'

/** Which files a masked child sees otherwise than they are. Real paths; each but the hidden one may be missing. */
export interface Mask {
  /** An empty directory stands in its place that nobody can write: Ralph inside of it could act as if nothing ran here. */
  readonly hidden: string
  /** As they are, but nothing there can be changed; also where they lie in what is hidden. */
  readonly readOnly: readonly string[]
  /** As they are, although they may lie in what is hidden or read-only. */
  readonly writable: readonly string[]
  /** As they are, but they stay where they are: above what is hidden, or another one could be put in its place for later. */
  readonly pinned: readonly string[]
}

/**
 * What root keeps. Without `--cap-drop ALL` it could unmount the mask; without any of these it could not work on a project of
 * another user, install a package, become another user, or start a sandbox of its own (SETFCAP: a user namespace of root's).
 * It is what Docker leaves to root, without MKNOD and SETPCAP. Never DAC_READ_SEARCH: it opens hidden files by their handles.
 */
const capabilitiesOfRoot =
  'CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETFCAP NET_BIND_SERVICE NET_RAW SYS_CHROOT AUDIT_WRITE'.split(
    ' ',
  )

/**
 * Arguments of bubblewrap that make the machine as it is, but for the mask and for processes: a namespace of their own. The
 * namespace's first process is the command itself, because bubblewrap's own would be gone before what it has left behind.
 */
export function maskArguments(mask: Mask, { isRoot }: { readonly isRoot: boolean }): string[] {
  const kept = isRoot ? capabilitiesOfRoot.flatMap((name) => ['--cap-add', `CAP_${name}`]) : []
  const processes = ['--unshare-pid', '--proc', '/proc', '--as-pid-1', '--die-with-parent', '--new-session']
  return ['--dev-bind', '/', '/', ...mounts(mask), ...processes, '--cap-drop', 'ALL', ...kept]
}

/** The outer before the inner, since a mount covers all that was mounted below it before. */
function mounts({ hidden, readOnly, writable, pinned }: Mask): string[] {
  const covered = [hidden, ...readOnly]
  // What is covered by nothing stays what it is: a mount of its own would make a border that no hard link crosses.
  const isCovered = (path: string): boolean => covered.some((outer) => path.startsWith(outer + sep))
  const again = [...writable.filter(isCovered), ...pinned.filter((path) => !isCovered(path))]
  const made = [
    { path: hidden, option: ['--tmpfs', hidden] },
    ...readOnly.map((path) => ({ path, option: ['--ro-bind-try', path, path] })),
    ...again.map((path) => ({ path, option: ['--bind-try', path, path] })),
  ]
    .toSorted((a, b) => a.path.length - b.path.length)
    .flatMap(({ option }) => option)
  return [...made, '--remount-ro', hidden]
}
