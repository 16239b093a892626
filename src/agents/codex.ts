import type { Agent, AgentRequest } from './agent.ts'
import { isOlder } from './compare-versions.ts'
import { codexHome } from './codex-home.ts'
import { CodexReader } from './codex-stream.ts'

/** Run here: 0.122.0 starts the servers of a project that is not trusted; 0.128.0 and 0.130.0 have `.git` read-only in any case. */
const oldestVersion = '0.132.0'
const tooOld = `before ${oldestVersion} it starts what a project that is not trusted names, or cannot commit`

/** OpenAI's codex. It has a home of the runner's, in which this project is not trusted: else it starts what stands in `.codex/`. */
export const codex: Agent = {
  name: 'codex',
  program: 'codex',
  install: 'install codex (npm install -g @openai/codex) and log in: `codex login`',
  reportsCost: false,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: 'sandbox',
  experimental: false,
  versionArgs: ['--version'],
  badVersion: (version) => (isOlder(version, oldestVersion) ? tooOld : null),
  userConfig: { variable: 'CODEX_HOME', directory: '.codex', settingsFile: 'config.toml' },
  login: { variables: ['CODEX_API_KEY'], files: ['auth.json'] },
  network: { hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'], variables: ['OPENAI_BASE_URL'] },
  instructions: 'file',
  settings: () => null,
  home: codexHome,
  command: (request) => ({ args: codexArguments(request), env: {}, stdin: request.prompt }),
  read: ({ boxed }) => new CodexReader({ sandboxed: !boxed }),
}

function codexArguments({ boxed, writableDirs, model, extraArgs }: AgentRequest): string[] {
  return [
    'exec',
    '--json',
    ...(boxed ? ['--dangerously-bypass-approvals-and-sandbox'] : ['--sandbox', 'workspace-write']),
    // Its sandbox has `.git` read-only, and nothing could be committed.
    ...(boxed ? [] : writableDirs.flatMap((directory) => ['--add-dir', directory])),
    // The runner has looked at the repository.
    '--skip-git-repo-check',
    ...(model === null ? [] : ['--model', model]),
    ...extraArgs,
  ]
}
