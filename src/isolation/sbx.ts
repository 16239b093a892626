import { vmBackend } from './vm/vm-backend.ts'
import type { VmCli } from './vm/vm-cli.ts'

/** Docker's standalone program for sandboxes, each a virtual machine with a kernel of its own. */
const sbxCli: VmCli = {
  name: 'sbx',
  program: 'sbx',
  words: [],
  typed: 'sbx',
  templates: ['claude', 'codex', 'copilot', 'cursor', 'droid', 'gemini', 'opencode'],
  copiesFiles: false,
  keepsLogin: false,
  // It asks for confirmation else.
  remove: (name) => ['rm', '--force', name],
  start: () => null,
  policyQuestion: ['policy', 'ls'],
  // An empty list of hosts is no rule to it.
  network: (name, hosts) =>
    hosts?.length === 0 ? null : ['policy', 'allow', 'network', '--sandbox', name, hosts?.join(',') ?? '**'],
  strayHostQuestion: (name, host) => ['policy', 'check', 'network', '--json', '--sandbox', name, host],
  whenMissing: {
    why: 'sbx is not installed.',
    fix: "Install Docker's sbx (https://docs.docker.com/ai/sandboxes/), then: sbx login, sbx policy init balanced.",
  },
  whenSignedOut: { why: 'sbx is not signed in to Docker.', fix: 'Run: sbx login' },
  whenPolicyMissing: {
    why: 'sbx does not answer: its network policy was never set, and it waits for somebody who chooses one.',
    fix: 'Run: sbx policy init balanced',
  },
}

export const sbx = vmBackend(sbxCli)
