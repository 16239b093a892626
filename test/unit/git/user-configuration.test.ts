import { describe, expect, it } from 'vitest'
import { parseConfig, pushRemote, selectConfiguration } from '../../../src/git/user-configuration.ts'

const fields = (...texts: string[]): Buffer => Buffer.from(texts.map((text) => `${text}\0`).join(''))

describe("the user's configuration", () => {
  const entries = parseConfig(
    fields(
      'global',
      'filter.lfs.clean\ngit-lfs clean -- %f',
      'global',
      'filter.lfs.required',
      'local',
      'filter.lfs.smudge\nevil',
      'local',
      'filter.crypt.clean\nx',
      'local',
      'core.autocrlf\ntrue',
      'local',
      'core.fsmonitor\nevil',
      'local',
      'remote.origin.url\nA',
      'local',
      'remote.fork.url\nB',
      'local',
      'branch.main.remote\nfork',
    ),
  )
  it("gives its filters, and never the repository's", () => {
    const found = selectConfiguration(entries)
    expect(found.filters.map(({ key, value }) => `${key}=${value}`)).toEqual([
      'filter.lfs.clean=git-lfs clean -- %f',
      'filter.lfs.required=true',
    ])
    expect(found.localFilters).toEqual(['crypt'])
    expect(found.conversion.map(({ key }) => key)).toEqual(['core.autocrlf'])
  })

  it('names the remote of the branch, else origin, else the only one', () => {
    expect(pushRemote(entries, 'main')).toBe('fork')
    expect(pushRemote(entries, 'other')).toBe('origin')
    expect(pushRemote([{ scope: 'local', key: 'remote.only.url', value: 'x' }], 'main')).toBe('only')
    expect(pushRemote([], 'main')).toBeNull()
  })
})
