import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { err, ok, type Result } from '../base/result.ts'
import type { Containment } from './containment.ts'
import { findProgram, type SearchPlaces } from './find-program.ts'
import { maskArguments, type Mask } from './mask.ts'
import { runProgram } from './run-program.ts'

/**
 * Process 1 of the namespace. The agent cannot be it: the kernel drops every signal without a handler there, so TERM
 * would do nothing, and orphans would stay zombies that `kill -0` finds alive. A shell waits for all of them, and hides
 * its own remark about a killed child. bash before sh, because dash drops variables whose names are no identifiers;
 * `-p` because bash would run the file named by BASH_ENV, `--norc` because Debian's takes a socket on stdin for ssh and runs
 * ~/.bashrc.
 */
const initScript = 'exec 3>&2 2>/dev/null; "$@" 2>&3 3>&-; exit $?'

const isRoot = process.getuid?.() === 0

/**
 * The strongest that works here. Tries it for real: whether namespaces are allowed depends on the kernel, seccomp, AppArmor and
 * the container around us. Without a mask to make there is none.
 */
export async function probeContainment(places: SearchPlaces, mask?: Mask): Promise<Containment> {
  if (process.platform !== 'linux') return { level: 'tree', reason: 'PID namespaces exist only on Linux' }
  const init = findInit(places)
  if (init === null) return { level: 'tree', reason: 'no shell was found' }
  const masked = mask === undefined ? err('nothing is to be hidden') : await tryMask(mask, init, places)
  if (masked.ok) return { level: 'mask', wrapper: masked.value, reason: `mask by ${masked.value[0] ?? ''}` }
  const plain = await tryNamespace(init, places)
  if (!plain.ok) return { level: 'tree', reason: plain.error }
  return { level: 'namespace', ...plain.value, noMask: masked.error }
}

/** Whether a program in it can still make a sandbox of its own: null, or what spoke against it. */
export async function probeNesting(containment: Containment, mask: Mask): Promise<string | null> {
  if (containment.level !== 'mask') return null
  const [bwrap = ''] = containment.wrapper
  const { hidden } = forTrial(mask)
  const wrapper = containment.wrapper.map((word) => (word === mask.hidden ? hidden : word))
  const trial = [bwrap, '--unshare-user', '--dev-bind', '/', '/', '/bin/sh', '-c', 'echo inside']
  return tryCommand([...wrapper, ...trial], 'inside')
}

/** bubblewrap would make what it mounts upon, and a probe makes nothing. */
const forTrial = (mask: Mask): Mask => (existsSync(mask.hidden) ? mask : { ...mask, hidden: tmpdir() })

function findInit(places: SearchPlaces): readonly string[] | null {
  const bash = findProgram('bash', places)
  if (bash.ok) return [bash.value, '--norc', '-p', '-c', initScript, 'init']
  const sh = findProgram('sh', places)
  return sh.ok ? [sh.value, '-c', initScript, 'init'] : null
}

/** With a user namespace too, as root where root itself may not mount: then files of other users are out of reach. */
async function tryMask(
  mask: Mask,
  init: readonly string[],
  places: SearchPlaces,
): Promise<Result<readonly string[], string>> {
  const bwrap = findProgram('bwrap', places)
  if (!bwrap.ok) return err('bubblewrap (bwrap) was not found')
  const wrapperOf = (made: Mask, more: readonly string[]): string[] => {
    const options = [...more, ...maskArguments(made, { isRoot })]
    return [bwrap.value, ...options, '--', ...init]
  }
  const there = forTrial(mask)
  let reason = ''
  for (const user of isRoot ? [[], ['--unshare-user']] : [[]]) {
    const problem = await tryWrapper(wrapperOf(there, user))
    if (problem === null) return ok(wrapperOf(mask, user))
    reason ||= problem
  }
  return err(`no mask: ${reason}`)
}

/**
 * `--map-current-user` and not root inside, because agents refuse root. `--pdeathsig` before it: the kernel kills the
 * namespace when the runner dies of anything.
 */
async function tryNamespace(
  init: readonly string[],
  places: SearchPlaces,
): Promise<Result<{ readonly wrapper: readonly string[]; readonly reason: string }, string>> {
  const unshare = findProgram('unshare', places)
  const setpriv = findProgram('setpriv', places)
  if (!unshare.ok || !setpriv.ok) return err('the programs unshare and setpriv (util-linux) were not found')
  const userNamespace = ['--user', '--map-current-user']
  let reason = ''
  for (const user of isRoot ? [[], userNamespace] : [userNamespace]) {
    const dieWithUs = [setpriv.value, '--pdeathsig', 'KILL', '--']
    const namespace = [unshare.value, ...user, '--fork', '--pid', '--mount-proc', '--kill-child=KILL', '--']
    const wrapper = [...dieWithUs, ...namespace, ...init]
    const problem = await tryWrapper(wrapper)
    if (problem === null)
      return ok({ wrapper, reason: `PID namespace by ${unshare.value} ${user.join(' ')}`.trimEnd() })
    reason ||= problem
  }
  return err(`no PID namespace: ${reason}`)
}

/** Inside, the command must be process 2 of a fresh /proc. Null if it is. */
const tryWrapper = (wrapper: readonly string[]): Promise<string | null> =>
  tryCommand([...wrapper, '/bin/sh', '-c', 'read -r pid rest < /proc/self/stat && echo "$$ $pid"'], '2 2')

/** Null if it prints what it should. */
async function tryCommand([program = '', ...args]: readonly string[], expected: string): Promise<string | null> {
  const outcome = await runProgram({ program, args, cwd: '/', env: {}, timeoutMs: 10_000 })
  if (!outcome.ok) return `${program} could not be started (${outcome.error.code})`
  const { stdout, stderrTail, exitCode } = outcome.value
  if (exitCode === 0 && stdout.toString().trim() === expected) return null
  return stderrTail.trim().split('\n').at(-1) || `the trial ended with ${exitCode ?? 'a signal'}`
}
