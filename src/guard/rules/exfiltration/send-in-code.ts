import { credentialAt } from '../../credential-path.ts'
import { hostOf, isDrop, isNear } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { interpreters } from '../../shell/interpreter-code.ts'
import { inside } from '../../shell/inside.ts'
import { inlineCode } from '../../targets/inline-code.ts'
import { locate } from '../../zone.ts'

const sending =
  /requests\.(?:post|put|patch|request|get)|httpx\.\w+|urlopen|urllib\.request|http\.client|aiohttp|fetch\(|https?\.(?:request|get)\(|axios|Net::HTTP|LWP::|HTTP::Tiny|file_get_contents\(\s*['"]https?:|curl_exec|smtplib|ftplib|\.sendto\(|socket\.create_connection|paramiko/
const everything =
  /(?:process\.env|os\.environ)\b(?!\s*(?:\.\s*\w|\[|\.get))|\bdict\(os\.environ|JSON\.stringify\(process\.env\)|ENV\.to_h/
const maxTexts = 500
const texts = /(["'`])([^"'`\n]{1,300})\1/g

export const sendInCode: Rule = {
  name: 'send-in-code',
  category: 'exfiltration',
  why: 'What was sent away cannot be called back.',
  instead: 'Keep credentials and files of others out of what you send.',
  programs: interpreters,
  forbids(command, place) {
    const code = inlineCode(command)
    if (code === '' || !sending.test(code)) return null
    const hosts: string[] = []
    const files: string[] = []
    for (const [, , text = ''] of code.matchAll(texts)) {
      if (/^(?:https?|ftp|wss?):\/\//.test(text)) hosts.push(hostOf(text))
      else files.push(text)
      if (hosts.length + files.length > maxTexts) break
    }
    if (hosts.length > 0 && hosts.every(isNear)) return null
    if (hosts.some(isDrop)) return 'would leave data where anybody may take it'
    if (everything.test(code)) return 'would send the environment away'
    const isSecret = files
      .map((text) => text.replace(/^~(?=\/)/, place.home))
      .flatMap((text) => inside(command.directories, text))
      .some((path) => credentialAt(path, place) !== null || locate(path, place).path.startsWith('/etc/'))
    return isSecret ? 'would send credentials away' : null
  },
}
