import { monitor } from './context/monitor.ts'
import { answer } from './host/answer.ts'

// PostToolUse and PostToolUseFailure; SessionStart only where the launcher cannot name the session.
answer('post-tool-use', (input) => monitor(input, process.env, process.argv[2] ?? ''))
