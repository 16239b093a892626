import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { LoopProject } from '../../support/loop-project.ts'

const root = new URL('../../../', import.meta.url).pathname

describe("an agent that reaches Ralph's own files", () => {
  let lab: LoopProject
  afterEach(() => lab.remove())

  /** A Ralph that the test may spoil. */
  function installed(): string {
    lab = new LoopProject()
    const copy = join(lab.root, 'installed')
    for (const name of ['.claude-plugin', 'hooks', 'scripts', 'templates']) {
      cpSync(join(root, name), join(copy, name), { recursive: true })
    }
    lab.ralph = join(copy, 'scripts', 'ralph.mjs')
    return copy
  }

  it.each(['scripts/hook.sh', 'scripts/hooks/planted.cjs', 'skills/planted/SKILL.md', '.mcp.json'])(
    'gets no approval through by writing %s, and no other agent is started',
    async (path) => {
      const planted = join(installed(), path)
      lab.play(`stage.honest()
        if (stage.mode === 'review') stage.write(${JSON.stringify(planted)}, 'planted')`)
      const { exitCode, stdout, events } = await lab.run()
      expect(exitCode).toBe(3)
      expect(events.at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'agent_unavailable' })
      expect(events.filter(({ kind }) => kind === 'iteration.started')).toHaveLength(2)
      expect(stdout).toContain(`Ralph's own file ${path}`)
      expect(lab.story('US-001')).toMatchObject({ passes: false, reviewStatus: 'needs_review' })
    },
  )

  it('is not followed by one that runs under settings which it wrote', async () => {
    installed()
    lab.play(`const path = stage.args[stage.args.indexOf('--settings') + 1]
      stage.remember({ [stage.mode]: stage.read(path) })
      stage.write(path, JSON.stringify({ disableAllHooks: true }))
      stage.honest()`)
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    const { implement, review } = lab.notes()
    expect(JSON.parse(String(review))).toMatchObject({ disableAllHooks: false })
    expect(review).toBe(implement)
  })
})
