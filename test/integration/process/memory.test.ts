import { beforeAll, describe, expect, it } from 'vitest'
import { measureSmallRunner } from '../../support/small-runner.ts'

const flood = (bytes: number): string => {
  const line = JSON.stringify({ type: 'assistant', text: 'lorem ipsum '.repeat(100) })
  return `yes '${line}' | head -c ${bytes}`
}

describe('the memory of a runner', () => {
  let smallMb: number

  beforeAll(async () => {
    smallMb = (await measureSmallRunner(flood(1e6))).maxRssMb
  })

  it('is the same with 500 MB of output as with 1 MB', async () => {
    const report = await measureSmallRunner(flood(5e8))
    expect(report.lines).toBeGreaterThan(400_000)
    expect(report.maxRssMb - smallMb).toBeLessThan(75)
  })

  it('is bounded by the cap of a line with one line of 100 MB', async () => {
    const report = await measureSmallRunner("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo next")
    expect(report).toMatchObject({ lines: 2, longest: 16 * 1024 * 1024, dropped: 1e8 - 16 * 1024 * 1024 })
    expect(report.maxRssMb - smallMb).toBeLessThan(75)
  })

  it('is bounded with a long line that comes in tiny pieces', async () => {
    const report = await measureSmallRunner('i=0; while [ $i -lt 60000 ]; do printf xx; i=$((i+1)); done')
    expect(report).toMatchObject({ lines: 1, longest: 120_000 })
    expect(report.maxRssMb - smallMb).toBeLessThan(40)
  })
})
