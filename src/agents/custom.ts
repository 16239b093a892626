import type { Agent, AgentReader } from './agent.ts'
import { claudeDialect, ClaudeReader } from './claude-stream.ts'
import { CodexReader } from './codex-stream.ts'
import { TextReader } from './text-stream.ts'

/** How the stdout of a custom agent is read. */
export type StreamFormat = 'text' | 'claude' | 'codex'

/** A new reader for each start. No plugin has to be proven: nobody can tell what a program of the user's loads. */
const readers: Readonly<Record<StreamFormat, () => AgentReader>> = {
  text: () => new TextReader(),
  claude: () => new ClaudeReader(claudeDialect(null)),
  codex: () => new CodexReader(),
}

/** Any executable of the user's: the prompt comes on its stdin. */
export function customAgent(command: readonly [string, ...string[]], format: StreamFormat): Agent {
  const [program, ...args] = command
  return {
    name: 'custom',
    program,
    install: 'install it, or let agent.command in .ralph/settings.json name a program that is there',
    reportsCost: format === 'claude',
    reportsTokens: format !== 'text',
    showsWork: format !== 'text',
    refusesRoot: false,
    directly: 'user',
    experimental: false,
    versionArgs: null,
    badVersion: () => null,
    userConfig: null,
    login: null,
    network: { hosts: [], variables: [] },
    instructions: 'own',
    settings: () => null,
    home: () => null,
    command: ({ prompt, model, extraArgs }) => ({
      args: [...args, ...extraArgs],
      // It has no option that we could know of.
      env: model === null ? {} : { RALPH_MODEL: model },
      stdin: prompt,
    }),
    read: () => readers[format](),
  }
}
