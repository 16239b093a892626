import type { Output } from './command.ts'

/** The two real streams. What agents wrote has to be made visible before it comes here. */
export const printer: Output = {
  line: (text) => void process.stdout.write(`${text}\n`),
  remark: (text) => void process.stderr.write(`${text}\n`),
}
