import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { LoopProject } from '../../support/loop-project.ts'
import { masked, needsMask } from '../../support/processes.ts'

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
      lab.withoutMask()
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
    lab.withoutMask().play(`const path = stage.args[stage.args.indexOf('--settings') + 1]
      stage.remember({ [stage.mode]: stage.read(path) })
      stage.write(path, JSON.stringify({ disableAllHooks: true }))
      stage.honest()`)
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    const { implement, review } = lab.notes()
    expect(JSON.parse(String(review))).toMatchObject({ disableAllHooks: false })
    expect(review).toBe(implement)
  })

  it.runIf(masked.level === 'mask')(`cannot, and works on, where there is a mask ${needsMask}`, async () => {
    const planted = join(installed(), 'scripts/hook.sh')
    const before = readFileSync(planted, 'utf8')
    lab.play(`const attempt = (name, action) => {
        try { action(); return name } catch (error) { return name + ' ' + error.code }
      }
      const settings = stage.args[stage.args.indexOf('--settings') + 1]
      stage.remember({
        [stage.mode]: [
          attempt('plugin', () => stage.write(${JSON.stringify(planted)}, 'planted')),
          attempt('settings', () => stage.write(settings, '{}')),
          attempt('read', () => JSON.parse(stage.read(settings))),
          stage.sh("find '${lab.state}' -type f ! -path '*/box/*'"),
          JSON.parse(stage.sh("'${process.execPath}' '${lab.ralph}' status --json")).state,
        ],
      })
      stage.honest()`)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    const seen = ['plugin EROFS', 'settings EROFS', 'read', '', 'none']
    expect(lab.notes()).toEqual({ implement: seen, review: seen })
    expect(readFileSync(planted, 'utf8')).toBe(before)
    expect(events.find(({ kind }) => kind === 'isolation.chosen')).toMatchObject({
      description: expect.stringContaining("Ralph's state is hidden") as string,
    })
  })
})
