/** What a working agent prints, about 8 MB of it: short words, calls, and what tools have printed, from a line to a long file. */
export function agentStream(agent: 'claude' | 'codex'): Buffer {
  const lines: unknown[] = []
  const add = agent === 'claude' ? addClaudeTurn : addCodexTurn
  for (let turn = 0, size = 0; size < 8e6; turn++) {
    const output = `${turn}: lorem ipsum dolor € sit "amet"\n`.repeat(1 + ((turn * 37) % 1000))
    add(lines, turn, output)
    size += output.length * (agent === 'claude' ? 2 : 1)
  }
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const words = 'I look at the file first, then I change the one place that matters. '.repeat(6)

function addClaudeTurn(lines: unknown[], turn: number, output: string): void {
  const id = `toolu_${turn}`
  const message = (content: unknown, role = 'assistant') => ({
    type: role,
    message: { id: `msg_${turn}`, role, model: 'claude-opus-5-5', content: [content], usage: { input_tokens: 3 } },
    parent_tool_use_id: null,
    session_id: '8f14e45f-ceea-467f-a1d6-91f7b1a2c3d4',
  })
  lines.push(
    message({ type: 'text', text: words }),
    message({ type: 'tool_use', id, name: 'Bash', input: { command: `cat file-${turn}.txt` } }),
    // Claude Code prints it twice.
    {
      ...message({ type: 'tool_result', tool_use_id: id, content: output, is_error: false }, 'user'),
      tool_use_result: { stdout: output, stderr: '', interrupted: false },
    },
  )
}

function addCodexTurn(lines: unknown[], turn: number, output: string): void {
  const item = { id: `item_${turn}`, type: 'command_execution', command: `bash -lc 'cat file-${turn}.txt'` }
  const over = { ...item, aggregated_output: output, exit_code: 0, status: 'completed' }
  lines.push(
    { type: 'item.completed', item: { id: `text_${turn}`, type: 'agent_message', text: words } },
    { type: 'item.started', item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' } },
    { type: 'item.completed', item: over },
  )
}
