import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { harmfulVerb, isHarmless, verbGrammar, type VerbGrammar } from '../../verbs.ts'

export const kubernetes: Rule = {
  name: 'kubernetes',
  category: 'cloud',
  why: 'It takes away from a cluster what others may use.',
  instead:
    'Look with `kubectl get` and `describe`, try it with `--dry-run=client`, or name a cluster of your own with `--context kind-…`.',
  get programs() {
    return [...programs.keys(), 'k3s*'].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const verb = isOwnCluster(program.args) ? null : verbOf(program)
      if (verb !== null) return `would remove or stop what runs in a cluster (${program.name} ${verb})`
    }
    return null
  },
}

const valued =
  '-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v --v -l --selector --kube-context --kube-apiserver --kube-token'

const cluster = verbGrammar('delete drain evict cordon taint', {
  valued,
  looking: 'get describe logs explain auth api-resources config exec run',
  depth: 1,
})

const programs: ReadonlyMap<string, VerbGrammar> = new Map<string, VerbGrammar>([
  ...['kubectl', 'oc', 'k', 'microk8s.kubectl', 'kubectl.exe'].map((name) => [name, cluster] as const),
  ['helm', verbGrammar('uninstall delete del un rollback', { valued, depth: 1 })],
  ['flux', verbGrammar('delete uninstall suspend', { valued })],
  ['argocd', verbGrammar('delete delete-resource rm terminate-op', { valued })],
  ['istioctl', verbGrammar('uninstall', { valued })],
  ['velero', verbGrammar('delete uninstall', { valued })],
  ['linkerd', verbGrammar('uninstall', { valued })],
  ['rancher', verbGrammar('delete rm', { valued })],
  ['kubeadm', verbGrammar('reset', { valued })],
  [
    'etcdctl',
    verbGrammar('del member/remove role/delete user/delete', { valued: '--endpoints --cacert --cert --key --user' }),
  ],
])

function verbOf({ name, args }: Ran): string | null {
  const grammar = programs.get(name)
  if (grammar === undefined) return /^k3s(?:-agent)?-uninstall\.sh$/.test(name) ? 'all of it' : null
  const verb = harmfulVerb(args, grammar)
  if (verb !== null || grammar !== cluster || isHarmless(args)) return verb
  const has = (...options: readonly string[]): boolean => options.some((option) => args.includes(option))
  if (
    has('scale') &&
    args.some((arg, index) => arg === '--replicas=0' || (arg === '0' && args[index - 1] === '--replicas'))
  )
    return 'scale --replicas=0'
  if (has('replace') && has('--force')) return 'replace --force'
  if (has('apply') && has('--prune')) return 'apply --prune'
  return has('rollout') && has('undo') ? 'rollout undo' : null
}

/** Clusters that live on this machine only. */
function isOwnCluster(args: readonly string[]): boolean {
  return args.some((arg, index) => {
    const name = /^--(?:kube-)?context$/.test(args[index - 1] ?? '') ? arg : /^--(?:kube-)?context=(.*)$/.exec(arg)?.[1]
    return (
      name !== undefined &&
      /^(?:kind-.*|k3d-.*|minikube|docker-desktop|docker-for-desktop|orbstack|colima.*|rancher-desktop|microk8s)$/.test(
        name,
      )
    )
  })
}
