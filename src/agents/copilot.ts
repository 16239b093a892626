import type { Agent } from './agent.ts'
import { CopilotReader } from './copilot-stream.ts'
import { option } from './option.ts'

const help = {
  login: 'run `copilot` once and /login, or set COPILOT_GITHUB_TOKEN',
  install: 'install the GitHub Copilot CLI: npm install -g @github/copilot',
}

/** GitHub's Copilot CLI. */
export const copilot: Agent = {
  name: 'copilot',
  program: 'copilot',
  install: help.install,
  reportsCost: false,
  reportsTokens: false,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: 'COPILOT_HOME', directory: '.copilot', settingsFile: null },
  login: {
    // It would take GH_TOKEN as well; that is a key of another service, which agents do not get.
    variables: ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
    files: ['config.json', '~/.config/gh/hosts.yml'],
  },
  network: { hosts: ['api.github.com', 'github.com', '*.githubcopilot.com'], variables: [] },
  instructions: 'prompt',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      ...option('--output-format', 'json'),
      '--allow-all',
      // Nobody is there to answer.
      '--no-ask-user',
      // Without what the project and its last agent have written for it.
      '--no-custom-instructions',
      // It would act on GitHub in the user's name, where nobody judges it; and let others steer it from there.
      '--disable-builtin-mcps',
      '--no-remote',
      // The same program from start to end.
      '--no-auto-update',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {},
    stdin: prompt,
  }),
  read: () => new CopilotReader(help),
}
