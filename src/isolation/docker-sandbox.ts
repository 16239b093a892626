import { vmBackend } from './vm/vm-backend.ts'
import type { VmCli } from './vm/vm-cli.ts'

/** The plugin of Docker Desktop 4.58 to 4.79. Its files are copied to and fro, and nobody says when. */
const dockerSandboxCli: VmCli = {
  name: 'docker-sandbox',
  program: 'docker',
  words: ['sandbox'],
  typed: 'docker sandbox',
  templates: ['claude', 'codex', 'copilot', 'gemini', 'opencode'],
  copiesFiles: true,
  keepsLogin: true,
  remove: (name) => ['rm', name],
  // Its reference does not say whether exec starts a box; without --detached this one would open a session.
  start: (name) => ['run', '--detached', name],
  policyQuestion: null,
  network: (name, hosts) => [
    'network',
    'proxy',
    name,
    '--policy',
    hosts === null ? 'allow' : 'deny',
    ...(hosts ?? []).flatMap((host) => ['--allow-host', host]),
  ],
  strayHostQuestion: () => null,
  whenMissing: {
    why: 'This docker has no "sandbox" command: Docker Desktop 4.58 to 4.79 has it, 4.80 took it out.',
    fix: 'Install its successor, sbx (https://docs.docker.com/ai/sandboxes/).',
  },
  whenSignedOut: {
    why: 'Docker Desktop is not running, or nobody is signed in.',
    fix: 'Start Docker Desktop and sign in.',
  },
  whenPolicyMissing: { why: 'docker sandbox does not answer.', fix: 'Start Docker Desktop anew.' },
}

export const dockerSandbox = vmBackend(dockerSandboxCli)
