import { describe, expect, it } from 'vitest'
import { isOlder, versionIn } from '../../../src/agents/compare-versions.ts'

describe('versionIn', () => {
  it.each([
    ['codex-cli 0.166.0\n', '0.166.0'],
    ['2.1.325 (Claude Code)', '2.1.325'],
    ['v1.18.33-beta.2', '1.18.33'],
    ['1.2', '1.2'],
    ['version 7', null],
    ['', null],
    ['9'.repeat(100_000), null],
  ])('finds in %j the version %j', (text, version) => {
    expect(versionIn(text)).toBe(version)
  })
})

describe('isOlder', () => {
  it.each([
    ['0.9.0', '0.10.0', true],
    ['0.131.9', '0.132.0', true],
    ['0.132.0', '0.132.0', false],
    ['0.132', '0.132.0', false],
    ['0.132.0.1', '0.132.0', false],
    ['1.0.0', '0.132.0', false],
    ['0.0.0', '0.0.1', true],
  ])('of %s and %s says %s', (version, than, expected) => {
    expect(isOlder(version, than)).toBe(expected)
  })
})
