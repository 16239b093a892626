import { expect, it } from 'vitest'
import { oneLine } from '../../../src/base/one-line.ts'

it.each([
  ['one', 'one'],
  ['1. no test\n2. wrong name\n', '1. no test / 2. wrong name'],
  ['a  \n\n\t b', 'a / b'],
  ['\n', ''],
  ['x'.repeat(3000), 'x'.repeat(2000)],
])('%j is %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})
