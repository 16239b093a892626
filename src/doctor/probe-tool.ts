import { isOlder } from '../agents/compare-versions.ts'
import { visibleLine } from '../base/visible.ts'
import { findProgram, trustedPath } from '../process/find-program.ts'
import { askVersion } from './ask-version.ts'
import type { Finding } from './finding.ts'
import { judgeVersion } from './judge-version.ts'
import { loginSeen } from './login-seen.ts'
import type { Place, Probe } from './probe.ts'
import type { Tool } from './tools.ts'

export function probeTool(tool: Tool): Probe {
  return async (place) => {
    const found = findProgram(tool.name, place.places)
    if (!found.ok) return missing(tool, notFoundFix(found.error.fix, tool.install))
    const answer = await askVersion({
      program: found.value,
      args: tool.versionArgs,
      ...questionIn(place),
    })
    const judged = judgeVersion(answer, (version) =>
      tool.oldest !== null && isOlder(version, tool.oldest.version) ? tool.oldest.why : null,
    )
    const isFine = judged.state === 'ok' || judged.state === 'unknown'
    return {
      ...base(tool),
      ...judged,
      why: judged.why ?? tool.purpose,
      path: visibleLine(found.value),
      fix: isFine ? null : tool.install,
      login: loginSeen(tool, place.env),
    }
  }
}

/** What every program of this machine is asked with. */
export const questionIn = ({ places, env, timeoutMs, signal }: Place) => ({
  path: trustedPath(places),
  home: env['HOME'],
  timeoutMs,
  signal,
})

/** `findProgram` knows more than how to install it where the program lies in the project or is named by a path. */
export const notFoundFix = (fix: string, install: string): string =>
  visibleLine(fix.startsWith('Install') ? install : fix, 500)

const base = ({ name, kind }: Tool) => ({ name, kind })

function missing(tool: Tool, fix: string): Finding {
  const { purpose: why } = tool
  return { ...base(tool), state: 'missing', path: null, version: null, why, fix, login: null }
}
