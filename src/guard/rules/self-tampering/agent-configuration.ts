import type { Rule } from '../../rule.ts'
import { operandsOf } from '../../targets/operands.ts'

export const agentConfiguration: Rule = {
  name: 'agent-configuration',
  category: 'self-tampering',
  why: 'It changes what coding agents run and may do, and that does not change during a loop.',
  instead: 'Do the work without it, or say in your last message what people should set up.',
  get programs() {
    return Object.keys(agents).join(' ')
  },
  forbids({ name, args, environment }) {
    const parts = agents[name]
    if (parts === undefined) return null
    if (args.some((arg) => unasked.test(arg))) return `would start ${name} without anything that asks or denies`
    if (environment.has('CLAUDE_CONFIG_DIR') || environment.has('CODEX_HOME'))
      return `would start ${name} with another configuration`
    const [part = '', verb = '', third = ''] = operandsOf(
      args,
      '-s --scope -t --transport -e --env -m --model --profile -c',
    )
    if (!parts.test(part)) return null
    const isReading = /^(?:list|ls|get|show|view|status|help|validate|)$/
    const asked = part === 'plugin' && /^marketplaces?$/.test(verb) ? third : verb
    return isReading.test(asked) || args.includes('--help') ? null : `would change the configuration of ${name}`
  },
}

/** Options, and values of options, that switch off what asks before something is done. */
const unasked =
  /^(?:--(?:allow-)?dangerously-[\w-]+|--yolo|--full-auto|--allow-all-tools|--approval-mode=yolo|--permission-mode=bypassPermissions|bypassPermissions)$/

/** By program, the commands that change what it does at every later start. */
const agents: Readonly<Record<string, RegExp>> = {
  claude: /^(?:config|mcp|plugins?|update|install|setup-token|migrate-installer)$/,
  'claude-code': /^(?:config|mcp|plugins?|update|install|setup-token|migrate-installer)$/,
  amp: /^(?:mcp|permissions|login|logout|update)$/,
  codex: /^(?:mcp|plugin|features|login|logout)$/,
  gemini: /^(?:mcp|extensions?|skills|hooks)$/,
  opencode: /^(?:auth|mcp|plugin)$/,
  qwen: /^(?:mcp|extensions?)$/,
  copilot: /^(?:mcp|plugin)$/,
  'cursor-agent': /^(?:mcp|login|logout)$/,
}
