import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { optionValues } from '../src/settings/option-values.ts'
import { settingsSchema } from '../src/settings/settings-schema.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/settings.md'), 'utf8')

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

/** Every key that holds a value, with its path: `agent.name`, `checks[].command`. */
function keysOf({ properties, items }: JsonSchema, path: string): string[] {
  if (items?.properties !== undefined) return [path, ...keysOf(items, `${path}[]`)]
  if (properties === undefined) return [path]
  return Object.entries(properties).flatMap(([key, schema]) => keysOf(schema, path === '' ? key : `${path}.${key}`))
}

const schema = z.toJSONSchema(settingsSchema, { io: 'input' })

describe('the shipped schema of the settings', () => {
  it('is the one that is used (npx vitest run test/settings.test.ts -u writes it)', async () => {
    const text = `${JSON.stringify({ title: 'Settings of Ralph', ...schema }, null, 2)}\n`
    await expect(text).toMatchFileSnapshot(join(root, 'templates/settings.schema.json'))
  })
})

describe('docs/settings.md', () => {
  it.each(keysOf(schema as JsonSchema, ''))('explains %s', (key) => {
    expect(page).toContain(`\`${key}\``)
  })

  it('names every variable, and no other', () => {
    const variables = [...optionValues.flatMap(({ variable }) => variable ?? []), 'RALPH_OUTPUT']
    const table = page.split('## Environment')[1] ?? ''
    const named = [...table.matchAll(/^\| `(RALPH_\w+)`/gm)].map((match) => match[1] ?? '')
    expect(named.toSorted()).toEqual(variables.toSorted())
  })
})
