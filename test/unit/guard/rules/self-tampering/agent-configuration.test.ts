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
  ])('may be asked: %s', (command) => expect(deniedBy(command)).toBe('allowed'))
})
