import { describe, expect, it } from 'vitest'
import { pluginMissing } from '../../../src/agents/plugin-missing.ts'

const ours = { name: 'ralph', path: '/opt/ralph-0.1.0', source: 'ralph@inline' }
const missing = (init: object) => pluginMissing(JSON.parse(JSON.stringify(init)), '/opt/ralph-0.1.0')

describe('pluginMissing', () => {
  it.each([
    ['beside others', { plugins: [{ name: 'other', path: 'builtin' }, ours] }],
    ['with a slash behind its path', { plugins: [{ ...ours, path: '/opt/ralph-0.1.0/' }] }],
    ['with no errors', { plugins: [ours], plugin_errors: [] }],
    [
      'with an error of another plugin',
      { plugins: [ours], plugin_errors: [{ plugin: 'corporate@managed', type: 'x' }] },
    ],
    ['with errors that are none', { plugins: [ours], plugin_errors: [null, 'x', {}] }],
  ])('finds it %s', (_, init) => {
    expect(missing(init)).toBeNull()
  })

  it.each([
    ['no list', {}],
    ['a list that is none', { plugins: 'ralph' }],
  ])('takes an init line with %s for no proof at all', (_, init) => {
    expect(missing(init)).toBeNull()
  })

  const notLoaded = "Claude Code has not loaded Ralph's plugin from /opt/ralph-0.1.0"
  it.each([
    ['an empty list', { plugins: [] }, notLoaded],
    ['another path', { plugins: [{ ...ours, path: '/tmp/evil' }] }, notLoaded],
    ['another name', { plugins: [{ ...ours, name: 'ralph2' }] }, notLoaded],
    [
      'an error by its name',
      {
        plugins: [ours],
        plugin_errors: [{ plugin: 'ralph@inline', type: 'hook-load-failed', message: 'no hooks\nat all' }],
      },
      "Ralph's plugin was not loaded: no hooks",
    ],
    [
      'an error by the name of its directory',
      { plugins: [ours], plugin_errors: [{ plugin: 'ralph-0.1.0@inline', type: 'hook-load-failed' }] },
      "Ralph's plugin was not loaded: hook-load-failed",
    ],
    [
      'an error by its path',
      { plugins: [], plugin_errors: [{ plugin: 'inline[0]', path: '/opt/ralph-0.1.0', message: 'Path not found' }] },
      "Ralph's plugin was not loaded: Path not found",
    ],
    [
      'an error of ours and no list',
      { plugin_errors: [{ plugin: 'ralph@inline', message: 'no hooks' }] },
      "Ralph's plugin was not loaded: no hooks",
    ],
    [
      'an error that says nothing',
      { plugins: [ours], plugin_errors: [{ plugin: 'ralph@inline', message: 7 }] },
      "Ralph's plugin was not loaded: no reason given",
    ],
  ])('misses it in an init line with %s', (_, init, reason) => {
    expect(missing(init)).toBe(reason)
  })
})
