import { writeSync } from 'node:fs'
import { readSmall } from '../../../src/store/read-small.ts'

/** `fifo-reader DIRECTORY`: reads tasks.json for ever; ends with 42 when it is told to. */
process.on('SIGTERM', () => process.exit(42))
const look = (): void => {
  readSmall(process.argv[2] ?? '', 'tasks.json')
  setImmediate(look)
}
look()
writeSync(1, 'reading\n')
