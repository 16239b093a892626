import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import type { Git } from './git.ts'

export interface DiffRequest {
  /** Only these paths, literally; default all. */
  readonly paths?: readonly string[]
  readonly maxBytes: number
}

export interface DiffText {
  readonly text: string
  /** How much of it is not in the text. */
  readonly omittedBytes: number
  /** The whole was longer than we look at: more is missing than the number says. */
  readonly cut: boolean
}

const mostBytes = 64 * 1024 * 1024

/** The difference of two trees or commits for a prompt. Without any attribute file: `-diff` there hides a change. */
export async function diffText(
  git: Git,
  place: RefereePlace,
  request: DiffRequest & { readonly from: string; readonly to: string },
): Promise<Result<DiffText, Failure>> {
  const answer = await git({
    doing: 'show a difference',
    args: [
      '-c',
      'core.attributesFile=/dev/null',
      'diff-tree',
      '-r',
      '-p',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      '--no-renames',
      '--full-index',
      '--submodule=short',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      request.from,
      request.to,
      '--',
      ...(request.paths ?? []),
    ],
    workTree: `${place.stateDir}/empty-home`,
    index: `${place.stateDir}/no-index`,
    maxOutputBytes: mostBytes,
  })
  if (!answer.ok) return answer
  return ok({ ...headAndTail(answer.value.stdout, request.maxBytes), cut: answer.value.cut })
}

/** The beginning and the end, whole lines where there are any, with the number of bytes left out between them. */
export function headAndTail(bytes: Buffer, maxBytes: number): { text: string; omittedBytes: number } {
  if (bytes.length <= maxBytes) return { text: bytes.toString('utf8'), omittedBytes: 0 }
  const half = Math.floor(maxBytes / 2)
  const lineEnd = half === 0 ? -1 : bytes.lastIndexOf(0x0a, half - 1)
  const headEnd = lineEnd === -1 ? characterStart(bytes, half) : lineEnd + 1
  const lineStart = bytes.indexOf(0x0a, bytes.length - half)
  const tailStart =
    lineStart === -1 || lineStart === bytes.length - 1 ? characterStart(bytes, bytes.length - half) : lineStart + 1
  const omittedBytes = tailStart - headEnd
  const head = bytes.subarray(0, headEnd).toString('utf8')
  const tail = bytes.subarray(tailStart).toString('utf8')
  return { text: `${head}\n[… ${omittedBytes} bytes left out …]\n${tail}`, omittedBytes }
}

/** The next place that is not inside a character. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
