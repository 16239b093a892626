import { basename, normalize } from 'node:path'
import { isObject, type JsonObject } from '../base/json.ts'
import { firstLine } from './cut-text.ts'

/**
 * What an `init` line of Claude Code says against our plugin being loaded and whole; null if nothing. One without a list of
 * plugins says nothing: older programs have none, nor do programs that only speak Claude's language.
 */
export function pluginMissing(init: JsonObject, pluginDir: string): string | null {
  const { plugins, plugin_errors: errors } = init
  // Errors of other plugins (an administrator's that is not installed yet) are not ours to judge.
  const own = new Set<unknown>(['ralph@inline', `${basename(pluginDir)}@inline`])
  const error = objects(errors).find(({ plugin, path }) => own.has(plugin) || isPath(path, pluginDir))
  if (error !== undefined) return `Ralph's plugin was not loaded: ${reasonOf(error)}`
  if (!Array.isArray(plugins)) return null
  const isThere = objects(plugins).some(({ name, path }) => name === 'ralph' && isPath(path, pluginDir))
  return isThere ? null : `Claude Code has not loaded Ralph's plugin from ${pluginDir}`
}

function isPath(path: unknown, wanted: string): boolean {
  return typeof path === 'string' && normalize(`${path}/`) === normalize(`${wanted}/`)
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function reasonOf({ message, type }: JsonObject): string {
  const text = [message, type].find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? firstLine(text) : 'no reason given'
}
