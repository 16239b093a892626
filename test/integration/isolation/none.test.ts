import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExecRequest } from '../../../src/isolation/isolation.ts'
import { directBox, directIsolation } from '../../../src/isolation/none.ts'
import {
  killProcessesWith,
  newMark,
  newRunId,
  masked,
  noNamespace,
  probed,
  program,
  testEnv,
} from '../../support/processes.ts'
import { newBoxSite } from '../../support/box-site.ts'
import { value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { keepsContract } from './contract.ts'

let mark: string
let dir: string
beforeEach(() => {
  mark = newMark()
  dir = scratch()
})
afterEach(() => killProcessesWith(mark))

const levels = [noNamespace, probed, masked]
  .filter(({ level }, at, all) => all.findIndex((other) => other.level === level) === at)
  .map((containment) => ({ level: containment.level, containment }))

describe.each(levels)('direct isolation ($level)', ({ level, containment }) => {
  const isolation = directIsolation({ containment })
  const request = (argv: ExecRequest['argv'], more: Partial<ExecRequest> = {}): ExecRequest => ({
    argv,
    cwd: dir,
    env: testEnv,
    runId: newRunId(),
    onLine: () => undefined,
    ...more,
  })

  it('says that it contains nothing, and how surely processes end', () => {
    expect(isolation).toMatchObject({ name: 'none', boxed: false })
    expect(isolation.description).toContain('no box')
    expect(isolation.description).toContain(containment.reason)
    expect(isolation.description.includes('as far as it can be found')).toBe(level === 'tree')
  })

  describe('as every box', () => {
    keepsContract({
      stage: async (secrets) => {
        const { site, outside, remove } = newBoxSite()
        const runId = newRunId()
        const staged = directIsolation({ containment, secrets })
        const opened = value(
          await staged.open({ runId, agents: ['custom'], hosts: [], readable: [], remark: () => undefined }),
        )
        const end = async (): Promise<void> => {
          await opened.dispose()
          remove()
        }
        return { isolation: staged, box: opened, project: site.project, outside, runId, end }
      },
      traits: { missesWiped: level === 'tree' },
    })
  })

  it('gives what it ends the time that it was told to give', async () => {
    const hurried = directBox({ containment, grace: { termMs: 100, killMs: 3000 } })
    const stubborn = [program('ignores-term'), mark, dir, 'agent'] as const
    const controller = new AbortController()
    const running = hurried.exec(request(stubborn, { signal: controller.signal }))
    await until('it ignores TERM', () => existsSync(join(dir, 'agent')))
    const abortedAt = performance.now()
    controller.abort()
    value(await running)
    expect(performance.now() - abortedAt).toBeLessThan(3900)
  })
})
