import { expect, it } from 'vitest'
import { cannotStart } from '../../../src/checks/cannot-start.ts'

it.each([
  ['a program that is not on PATH', 127, '/usr/bin/bash: line 1: pytest: command not found', true],
  ['the same by sh', 127, '/bin/sh: 1: pytest: not found', true],
  ['the same in another language', 127, '/usr/bin/bash: Zeile 1: pytest: Kommando nicht gefunden.', true],
  ['the last of several commands', 127, 'ok\n/usr/bin/bash: line 3: pytest: command not found', true],
  ['a program outside that cannot be executed', 126, '/usr/bin/bash: line 1: /opt/tool: Permission denied', true],
  [
    'a script of the project that is missing',
    127,
    '/usr/bin/bash: line 1: ./check.sh: No such file or directory',
    false,
  ],
  ['the same by its whole path', 127, '/usr/bin/bash: line 1: /project/check.sh: No such file or directory', false],
  ['a directory whose name only begins so', 127, '/usr/bin/bash: line 1: /project2/check.sh: No such file', true],
  ['a script of the project that is not executable', 126, '/usr/bin/bash: line 1: scripts/t: Permission denied', false],
  ['a package that npm misses', 127, 'sh: 1: vitest: not found', false],
  ['an exit code of the check itself', 127, 'no server here', false],
  ['the same words and another exit code', 1, '/usr/bin/bash: line 1: pytest: command not found', false],
  ['a success', 0, '/usr/bin/bash: line 1: pytest: command not found', false],
  ['no exit code', null, '/usr/bin/bash: line 1: pytest: command not found', false],
])('%s (%s): %j → %s', (_, exitCode, output, expected) => {
  expect(cannotStart(exitCode, output, '/project')).toBe(expected)
})
