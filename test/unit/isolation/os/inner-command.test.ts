import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { innerCommand, outerCommand, type InnerTools } from '../../../../src/isolation/os/inner-command.ts'

const tools: InnerTools = { bash: '/bin/bash', env: '/usr/bin/env', resetsSignals: false, root: null }
const asRoot = { ...tools, root: { mount: '/bin/mount', setpriv: '/usr/bin/setpriv' } }
const run = (script: string): string => execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8' })

describe('a command in the box', () => {
  it('gets its arguments and variables as they are', () => {
    const odd = [`a'b`, '$(echo no)', 'new\nline', '', '-n', '\\']
    const script = innerCommand({ argv: ['/usr/bin/printf', '<%s>', ...odd], env: { A: `x'y` }, tools })
    expect(run(script)).toBe(odd.map((word) => `<${word}>`).join(''))
    expect(run(innerCommand({ argv: ['/bin/sh', '-c', 'printf %s "$A"'], env: { A: `x'y $z` }, tools }))).toBe(`x'y $z`)
  })

  it('hears TERM again, although the sandbox around it does not', () => {
    const script = innerCommand({ argv: ['/bin/x'], env: {}, tools: { ...tools, resetsSignals: true } })
    expect(script).toBe(`exec '/usr/bin/env' '--default-signal=TERM' '/bin/x'`)
    expect(outerCommand('bwrap', { ...tools, resetsSignals: true }).at(-1)).toBe(`trap '' TERM; exec bwrap`)
    expect(outerCommand('bwrap', tools).at(-1)).toBe('exec bwrap')
  })

  it('is no variable to env, whatever its path', () => {
    const script = innerCommand({ argv: ['/a=b/x'], env: {}, tools: { ...tools, resetsSignals: true } })
    expect(script).toBe(`exec '/usr/bin/env' '--default-signal=TERM' '/bin/bash' '-p' '-c' 'exec "$@"' 'exec' '/a=b/x'`)
  })

  it('is started for root only after the kernel was covered and every capability given up', () => {
    const script = innerCommand({ argv: ['/bin/x'], env: {}, tools: asRoot })
    expect(script).toMatch(
      /^for d in sys .*exit 126; \}; done; exec '\/usr\/bin\/setpriv' '--bounding-set' '-all' .* '\/bin\/x'$/,
    )
  })
})
