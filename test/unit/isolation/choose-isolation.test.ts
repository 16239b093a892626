import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { backends as real } from '../../../src/isolation/backends.ts'
import { chooseIsolation, type WantedIsolation } from '../../../src/isolation/choose-isolation.ts'
import type { Backend, BackendName, Site } from '../../../src/isolation/isolation.ts'
import { directIsolation } from '../../../src/isolation/none.ts'

const order: readonly BackendName[] = ['sbx', 'docker-sandbox', 'os', 'none']
const site = {} as Site
const asked: string[] = []

const backendsWhere = (works: readonly BackendName[]): Backend[] =>
  order.map((name) => ({
    name,
    probe: () => {
      asked.push(name)
      const isolation = { ...directIsolation({ containment: { level: 'tree', reason: '' } }), name }
      return Promise.resolve(
        works.includes(name) ? ok(isolation) : err({ why: `${name} is missing.`, fix: `Install ${name}.` }),
      )
    },
  }))

async function choose(wanted: WantedIsolation, works: readonly BackendName[]) {
  asked.length = 0
  return chooseIsolation(wanted, backendsWhere(works), site)
}

describe('what a run is put in', () => {
  it.each([
    [['sbx', 'os', 'none'], 'sbx', []],
    [['docker-sandbox', 'os', 'none'], 'docker-sandbox', ['sbx']],
    [['os', 'none'], 'os', ['sbx', 'docker-sandbox']],
    [['none'], 'none', ['sbx', 'docker-sandbox', 'os']],
  ] as const)('is of %j the strongest, %s, and the others are explained', async (works, name, passed) => {
    const chosen = await choose({ backend: 'auto', required: false }, works)
    expect(chosen).toMatchObject({
      ok: true,
      value: { isolation: { name }, passedOver: passed.map((backend) => ({ backend, why: `${backend} is missing.` })) },
    })
    expect(asked).toEqual([...passed, name])
  })

  it('tells what helps in sentences of their own, also where that is a command', async () => {
    const probe = () => Promise.resolve(err({ why: 'Nobody is signed in.', fix: 'Run: sbx login' }))
    const chosen = await chooseIsolation({ backend: 'sbx', required: true }, [{ name: 'sbx', probe }], site)
    expect(chosen).toMatchObject({
      ok: false,
      error: { fix: expect.stringMatching(/^Run: sbx login\. "ralph/) as string },
    })
  })

  it('is never no box where one is required', async () => {
    const chosen = await choose({ backend: 'auto', required: true }, ['none'])
    expect(chosen).toMatchObject({ ok: false, error: { reason: 'isolation-unavailable' } })
    const { why, fix } = chosen.ok ? expect.fail() : (chosen.error as { why: string; fix: string })
    for (const name of ['sbx', 'docker-sandbox', 'os']) expect(why).toContain(`${name} is missing.`)
    expect(fix).toContain('Install sbx.')
    expect(fix).toContain('--no-sandbox')
    expect(asked).not.toContain('none')
  })

  it('is the one that was named or nothing, and no other is tried', async () => {
    expect(await choose({ backend: 'os', required: true }, ['sbx', 'os', 'none'])).toMatchObject({
      value: { isolation: { name: 'os' }, passedOver: [] },
    })
    expect(asked).toEqual(['os'])
    expect(await choose({ backend: 'os', required: true }, ['sbx', 'none'])).toMatchObject({ ok: false })
    expect(await choose({ backend: 'none', required: false }, order)).toMatchObject({
      value: { isolation: { name: 'none' } },
    })
    expect(asked).toEqual(['none'])
  })

  it('is tried in the order of strength', () => {
    const names = real.map(({ name }) => name)
    expect(names).toEqual(order.filter((name) => names.includes(name)))
    expect(names.at(-1)).toBe('none')
  })
})
