import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** What a box was made with, and cannot have changed later. */
export interface BoxMaking {
  readonly template: string
  readonly workspaces: readonly string[]
  readonly hosts: readonly string[] | null
  /** Of our own setup inside. */
  readonly setup: number
}

/** All boxes of a project, and only those, begin with this. Letters, digits and hyphens: what both programs take. */
export function boxPrefix(project: string): string {
  const slug = basename(project)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 20)
    .replace(/-$/, '')
  return `ralph-${slug === '' ? 'project' : slug}-${hashOf(project, 12)}-`
}

/** At most 63 characters. A box that was made otherwise (another plugin, other hosts) has another name. */
export const boxName = (project: string, { template, workspaces, hosts, setup }: BoxMaking): string =>
  `${boxPrefix(project)}${template.slice(0, 12)}-${hashOf(JSON.stringify([workspaces, hosts, setup]), 8)}`

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)
