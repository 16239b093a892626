import { describe, expect, it } from 'vitest'
import { deniedBy } from '../../../../support/denied-by.ts'

describe("agents' own commands", () => {
  it.each([
    'claude config set apiKeyHelper /tmp/x',
    'claude mcp add server -- npx server',
    'claude mcp remove server',
    'claude plugin install x@y',
    'claude plugin disable ralph',
    'claude plugin marketplace add me/x',
    'npx claude mcp add server',
    'codex mcp add server -- npx server',
    'gemini extensions install https://example.org/x',
    'npx @anthropic-ai/claude-code mcp add server',
    'claude --dangerously-skip-permissions -p hello',
    'claude -p hello --permission-mode bypassPermissions',
    'codex exec --dangerously-bypass-approvals-and-sandbox hello',
    'CLAUDE_CONFIG_DIR=/tmp/other claude -p hello',
    'export CLAUDE_CONFIG_DIR=/tmp/other; claude -p hello',
  ])('may not change what they run: %s', (command) => expect(deniedBy(command)).toBe('agent-configuration'))

  it.each([
    'claude --version',
    'claude config get theme',
    'claude mcp list',
    'claude plugin marketplace list',
    'claude plugin --help',
    'claude doctor',
    'codex --version',
    'gemini mcp list',
    'claude -p hello --permission-mode plan',
  ])('may be asked: %s', (command) => expect(deniedBy(command)).toBe('allowed'))
})
