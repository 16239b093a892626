import { isObject, parseJson, type Json } from '../../base/json.ts'

/** A box as its program lists it. The status may be stale. */
export interface ListedBox {
  readonly name: string
  readonly status: string
}

/**
 * What `ls --json` printed. The starting daemon may have spoken first, and the list stands under `vms` or under `sandboxes`, in one
 * and the same program. null: it is no list.
 */
export function readBoxList(output: string): readonly ListedBox[] | null {
  const json = jsonAfterBanner(output)
  if (!isObject(json)) return null
  const list = [json['vms'], json['sandboxes']].find((value) => Array.isArray(value))
  if (!Array.isArray(list)) return null
  return list.flatMap((entry) => {
    const name = isObject(entry) ? entry['name'] : null
    const status = isObject(entry) ? (entry['status'] ?? entry['state']) : null
    return typeof name === 'string' ? [{ name, status: typeof status === 'string' ? status : '' }] : []
  })
}

/** The first thing in it that is JSON, from the beginning of a line to the end. */
export function jsonAfterBanner(output: string): Json | null {
  for (let at = 0; at !== -1 && at < output.length;) {
    if (output[at] === '{' || output[at] === '[') {
      const parsed = parseJson(output.slice(at), { anyKey: true })
      if (parsed.ok) return parsed.value
    }
    const end = output.indexOf('\n', at)
    at = end === -1 ? -1 : end + 1
  }
  return null
}
