import type { Containment } from './containment.ts'
import { findProgram, type SearchPlaces } from './find-program.ts'
import { runProgram } from './run-program.ts'

/**
 * Process 1 of the namespace. The agent cannot be it: the kernel drops every signal without a handler there, so TERM
 * would do nothing, and orphans would stay zombies that `kill -0` finds alive. A shell waits for all of them, and hides
 * its own remark about a killed child. bash before sh, because dash drops variables whose names are no identifiers;
 * `-p` because bash would run the file named by BASH_ENV, `--norc` because Debian's takes a socket on stdin for ssh and runs
 * ~/.bashrc.
 */
const initScript = 'exec 3>&2 2>/dev/null; "$@" 2>&3 3>&-; exit $?'

/**
 * Tries it for real: whether namespaces are allowed depends on the kernel, seccomp, AppArmor and the container around us.
 * `--map-current-user` and not root inside, because agents refuse root. `--pdeathsig` before it: the kernel kills the
 * namespace when the runner dies of anything.
 */
export async function probeContainment(places: SearchPlaces): Promise<Containment> {
  if (process.platform !== 'linux') return { level: 'tree', reason: 'PID namespaces exist only on Linux' }
  const unshare = findProgram('unshare', places)
  const setpriv = findProgram('setpriv', places)
  const bash = findProgram('bash', places)
  const sh = findProgram('sh', places)
  if (!unshare.ok || !setpriv.ok || !(bash.ok || sh.ok)) {
    return { level: 'tree', reason: 'the programs unshare and setpriv (util-linux) were not found' }
  }
  const init = bash.ok
    ? [bash.value, '--norc', '-p', '-c', initScript, 'init']
    : [sh.ok ? sh.value : '', '-c', initScript, 'init']
  const userNamespace = ['--user', '--map-current-user']
  let reason = ''
  for (const user of process.getuid?.() === 0 ? [[], userNamespace] : [userNamespace]) {
    const dieWithUs = [setpriv.value, '--pdeathsig', 'KILL', '--']
    const namespace = [unshare.value, ...user, '--fork', '--pid', '--mount-proc', '--kill-child=KILL', '--']
    const wrapper = [...dieWithUs, ...namespace, ...init]
    const problem = await tryWrapper(wrapper)
    if (problem === null) {
      return { level: 'namespace', wrapper, reason: `PID namespace by ${unshare.value} ${user.join(' ')}`.trimEnd() }
    }
    reason ||= problem
  }
  return { level: 'tree', reason: `no PID namespace: ${reason}` }
}

/** Inside, the command must be process 2 of a fresh /proc. Null if it is. */
async function tryWrapper(wrapper: readonly string[]): Promise<string | null> {
  const [program = '', ...args] = wrapper
  const outcome = await runProgram({
    program,
    args: [...args, '/bin/sh', '-c', 'read -r pid rest < /proc/self/stat && echo "$$ $pid"'],
    cwd: '/',
    env: {},
    timeoutMs: 10_000,
  })
  if (!outcome.ok) return `${program} could not be started (${outcome.error.code})`
  const { stdout, stderrTail, exitCode } = outcome.value
  if (exitCode === 0 && stdout.toString().trim() === '2 2') return null
  return stderrTail.trim().split('\n').at(-1) || `the trial ended with ${exitCode ?? 'a signal'}`
}
