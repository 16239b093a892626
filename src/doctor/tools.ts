import type { Login, UserConfig } from '../agents/agent.ts'

/** A program that is no agent and that a run needs, or can make use of. */
export interface Tool {
  readonly name: string
  readonly kind: 'needed' | 'useful'
  readonly versionArgs: readonly string[]
  /** Older ones do not work, and why, as a phrase; null if nobody knows one. */
  readonly oldest: { readonly version: string; readonly why: string } | null
  /** What it is good for, as a phrase; null if a run needs it anyway. */
  readonly purpose: string | null
  /** One line that says how to get it. */
  readonly install: string
  readonly login: Login | null
  readonly userConfig: UserConfig | null
}

const anonymous = { login: null, userConfig: null }

export const tools: readonly Tool[] = [
  {
    name: 'git',
    kind: 'needed',
    versionArgs: ['--version'],
    oldest: { version: '2.26.0', why: 'before 2.26 it cannot say where a setting comes from' },
    purpose: null,
    install: 'install git (https://git-scm.com, or your package manager)',
    ...anonymous,
  },
  {
    name: 'gh',
    kind: 'useful',
    versionArgs: ['--version'],
    oldest: null,
    purpose: 'pull requests (not used yet in this version)',
    install: 'https://cli.github.com, then `gh auth login`',
    login: { variables: ['GH_TOKEN', 'GITHUB_TOKEN'], files: ['hosts.yml'] },
    userConfig: { variable: 'GH_CONFIG_DIR', directory: '.config/gh', settingsFile: null },
  },
  {
    name: 'docker',
    kind: 'useful',
    versionArgs: ['--version'],
    oldest: null,
    purpose: 'the box docker-sandbox, with Docker Desktop 4.58 to 4.79',
    install: 'https://docs.docker.com/get-docker',
    ...anonymous,
  },
  {
    name: 'sbx',
    kind: 'useful',
    // It has no option for it.
    versionArgs: ['version'],
    oldest: null,
    purpose: 'the box sbx',
    install: 'https://docs.docker.com/ai/sandboxes',
    ...anonymous,
  },
  {
    name: 'bwrap',
    kind: 'useful',
    versionArgs: ['--version'],
    oldest: null,
    purpose: "the box os, and what keeps Ralph's own files from agents that run directly (Linux)",
    install: 'install bubblewrap with your package manager (Debian: apt install bubblewrap)',
    ...anonymous,
  },
]
