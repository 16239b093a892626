import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './measure.ts'

/** `npm run bench [-- name…]`: every figure beside its floor from the same interleaved run. Exit 1 when a goal is missed. */
const areas = ['cli', 'hooks', 'rules', 'storage', 'processes', 'agents', 'repository', 'loop'] as const

// With it node 20 starts three times slower, and every figure with a node in it would be about that.
delete process.env['NODE_EXTRA_CA_CERTS']

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(areas as readonly string[]).includes(name))
if (unknown.length > 0) {
  console.error(`There is no area "${unknown.join('", "')}". There are: ${areas.join(', ')}.`)
  process.exitCode = 2
} else {
  const rows: Row[] = []
  for (const area of areas) {
    if (wanted.length === 0 || wanted.includes(area)) rows.push(...(await measure(area)))
  }
  print(rows)
  if (rows.length === 0 || rows.some((row) => !row.ok)) process.exitCode = 1
}

/** An area is a file that exports a function of its own name. */
async function measure(area: string): Promise<readonly Row[]> {
  const file = join(import.meta.dirname, `${area}.ts`)
  if (!existsSync(file)) {
    console.error(`${area}: not there yet`)
    return []
  }
  console.error(`${area} …`)
  const module = (await import(file)) as Record<string, () => Promise<readonly Row[]>>
  const run = module[area]
  if (run === undefined) throw new Error(`bench/${area}.ts exports no function ${area}()`)
  return run()
}

function print(rows: readonly Row[]): void {
  const table = [
    ['', 'measured', 'floor', 'ratio', 'goal', ''],
    ...rows.map((row) => [row.name, row.measured, row.floor, row.ratio.toFixed(2), row.goal, row.ok ? 'ok' : 'MISSED']),
  ]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of table) {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(padded.join('  ').trimEnd())
  }
}
