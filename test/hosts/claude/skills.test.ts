import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClaudeLab, claudeProgram } from './lab.ts'
import type { Asked } from './messages-api.ts'

const root = new URL('../../../', import.meta.url).pathname.replace(/\/$/, '')

describe.skipIf(claudeProgram === null)('the skills in the real Claude Code', () => {
  let lab: ClaudeLab
  beforeAll(async () => {
    lab = await ClaudeLab.open()
  })
  afterAll(() => lab.close())

  /** What the model is told when the user types this. */
  async function typed(text: string): Promise<string> {
    const session = await lab.session(text, { args: ['--plugin-dir', root] })
    const [asked] = lab.askedIn(session) as [Asked]
    return `${asked.prompt}\n${asked.besides}`
  }

  it.each(readdirSync(join(root, 'skills')))('/%s expands, with the command of this very plugin', async (name) => {
    const told = await typed(`/${name} WHAT-I-TYPED`)
    expect(told.includes(`<command-name>/ralph:${name}</command-name>`)).toBe(true)
    expect(told.includes(`"${root}/scripts/ralph.sh"`)).toBe(true)
    expect(told.match(/\$\{CLAUDE_\w+\}|\$ARGUMENTS/g)).toBeNull()
    expect(told.includes('WHAT-I-TYPED')).toBe(true)
  })

  it('/ralph:ralph-plan is the same by its full name', async () => {
    expect((await typed('/ralph:ralph-plan')).includes(`"${root}/scripts/ralph.sh" check`)).toBe(true)
  })
})
