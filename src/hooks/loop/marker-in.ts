import { isObject, parseJson, type Json } from '../../base/json.ts'
import { readRegular } from '../../git/disk.ts'
import type { Marker } from '../../tasks/marker.ts'

const maxMarkerBytes = 8 * 1024 * 1024

/** What tells whose loop it is and where; null where there is no marker that can be read. */
export function markerIn(directory: string): Pick<Partial<Marker>, 'sessionId' | 'runId' | 'pid' | 'ralphDir'> | null {
  const bytes = directory === '' ? null : readRegular(`${directory}/.ralph-active`, maxMarkerBytes)
  const read = bytes === null ? null : parseJson(bytes.toString('utf8'))
  if (read?.ok !== true || !isObject(read.value)) return null
  const { sessionId, runId, pid, ralphDir } = read.value
  return {
    sessionId: text(sessionId),
    runId: text(runId),
    ralphDir: text(ralphDir),
    ...(Number.isSafeInteger(pid) ? { pid: Number(pid) } : {}),
  }
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
