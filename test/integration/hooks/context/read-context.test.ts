import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readContext } from '../../../../src/hooks/context/read-context.ts'
import { scratch } from '../../../support/scratch.ts'
import { assistantLine, boundaryLine, otherLine, resultLine, usedLine } from '../../../support/transcript.ts'

function read(text: string | Buffer, call = '') {
  const path = join(scratch(), 'transcript.jsonl')
  writeFileSync(path, text)
  return readContext(path, call)
}

describe('readContext', () => {
  it('takes the last usage and never a sum', () => {
    const lines = [usedLine(1000), resultLine('x'), usedLine(5000), usedLine(5000), resultLine('y'), otherLine()]
    expect(read(lines.join(''))).toMatchObject({ tokens: 5000, isEstimate: false })
  })

  it('passes over subagents and errors of the API', () => {
    const lines = [usedLine(7000), usedLine(9000, { isSidechain: true }), usedLine(9000, { model: '<synthetic>' })]
    expect(read(lines.join(''))).toMatchObject({ tokens: 7000 })
  })

  it('forgets after a compaction what was before it, but for the model', () => {
    const before = usedLine(180_000, { requestedModel: 'claude-sonnet-4-5[1m]' })
    expect(read(before + boundaryLine(2704) + resultLine('x'))).toMatchObject({
      tokens: 2704,
      model: 'claude-sonnet-4-5[1m]',
      isEstimate: false,
    })
    const since = boundaryLine() + resultLine('x'.repeat(4000))
    expect(read(before + since)).toMatchObject({ tokens: Math.floor(since.length / 4), isEstimate: true })
    expect(read(before + boundaryLine(2704) + usedLine(9000))).toMatchObject({ tokens: 9000 })
  })

  it('estimates from the size only without any usage', () => {
    expect(read(resultLine('x'.repeat(4000)).repeat(3))).toMatchObject({ isEstimate: true, model: '' })
    expect(read('')).toMatchObject({ tokens: 0, isEstimate: true })
  })

  it('reads past an image of 30 MB and a line that was cut', () => {
    const image = resultLine('A'.repeat(30_000_000))
    expect(read(usedLine(3000) + image)).toMatchObject({ tokens: 3000 })
    expect(read(usedLine(3000) + usedLine(8000).slice(0, -200))).toMatchObject({ tokens: 3000 })
    expect(read(usedLine(8000).slice(300) + usedLine(3000))).toMatchObject({ tokens: 3000 })
  })

  it('does not know where usage is too far back', () => {
    expect(read(usedLine(3000) + resultLine('A'.repeat(7_000_000)).repeat(10))).toEqual({ kind: 'unknown' })
    expect(read(usedLine(3000) + '\n'.repeat(200_000))).toEqual({ kind: 'unknown' })
  })

  it('knows whether the message that made the call is there', () => {
    const two = usedLine(10, { call: 'toolu_a' }) + resultLine('x', 'toolu_a') + usedLine(10, { call: 'toolu_b' })
    expect(read(usedLine(5, { message: 'msg_0', call: 'toolu_0' }) + two, 'toolu_a')).toMatchObject({ isCurrent: true })
    expect(read(two, 'toolu_b')).toMatchObject({ isCurrent: true })
    expect(read(two, 'toolu_c')).toMatchObject({ isCurrent: false })
    const older = usedLine(5, { message: 'msg_0', call: 'toolu_c' })
    expect(read(older + two, 'toolu_c')).toMatchObject({ isCurrent: false })
  })

  it('reads behind a link, and nothing that is no regular file', () => {
    const root = scratch()
    writeFileSync(join(root, 'real'), usedLine(3000))
    symlinkSync('real', join(root, 'link'))
    symlinkSync('loop', join(root, 'loop'))
    mkdirSync(join(root, 'directory'))
    execFileSync('mkfifo', [join(root, 'fifo')])
    expect(readContext(join(root, 'link'), '')).toMatchObject({ tokens: 3000 })
    for (const name of ['missing', 'directory', 'fifo', 'loop', 'real/below']) {
      expect(readContext(join(root, name), '')).toEqual({ kind: 'none' })
    }
    expect(readContext('/dev/zero', '')).toEqual({ kind: 'none' })
  })

  it('bears anything', () => {
    const path = join(scratch(), 'transcript.jsonl')
    const good = fc.constantFrom(usedLine(3000), resultLine('x'), boundaryLine(7), boundaryLine(), assistantLine({}))
    const cut = fc.tuple(good, fc.nat(1200), fc.nat(1200)).map(([line, from, to]) => line.slice(from, to))
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
    fc.assert(
      fc.property(fc.array(fc.oneof(good, cut, bytes)), (parts) => {
        writeFileSync(path, '')
        for (const part of parts) appendFileSync(path, part)
        const seen = readContext(path, 'toolu_1')
        if (seen.kind !== 'known') throw new Error(`not known but ${seen.kind}`)
        expect(Number.isSafeInteger(seen.tokens)).toBe(true)
      }),
    )
  })
})
