import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { BoxSite } from '../../support/box-site.ts'
import { newMark, processesWith } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { newOsPlace, ownedBy, runInBox, users } from './lab.ts'

describe.skipIf(inject('srt') === null).each(users)('what is reached from the OS sandbox, as %s', (user) => {
  let place: BoxSite
  const servers: Server[] = []
  beforeEach(() => {
    place = ownedBy(user, newOsPlace())
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
    place.remove()
  })

  async function listen(server: Server, ...where: [number, string] | [string]): Promise<Server> {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(...(where as [number, string]), resolve))
    return server
  }
  const portOf = (server: Server): number => (server.address() as AddressInfo).port

  it('is a host that is allowed, on this machine too, and no other', async () => {
    const asked: string[] = []
    const port = portOf(
      await listen(
        createHttpServer((request, response) => {
          asked.push(request.headers.host ?? '')
          response.end('hello\n')
        }),
        0,
        '127.0.0.1',
      ),
    )
    const ask = (host: string): string => `curl -s -m 20 http://${host}:${port}/ || echo refused`
    const past = `curl -s -m 20 --noproxy '*' http://127.0.0.1:${port}/ || echo refused`
    const script = [ask('127.0.0.1'), ask('localhost'), ask('example.invalid'), past].join('\n')
    const allowed = await runInBox(place, { user, script, hosts: ['127.0.0.1'] })
    const refused = expect.stringMatching(/refused|blocked/)
    expect(allowed.lines.filter((line) => line !== '')).toEqual(['hello', refused, refused, 'refused'])
    const none = await runInBox(place, { user, script })
    expect(none.lines.join(' ')).not.toContain('hello')
    expect(asked).toEqual([`127.0.0.1:${port}`])
  })

  it('is a server of its own, without the proxy', async () => {
    const script = `node -e "require('http').createServer((q,s)=>s.end('own')).listen(4567,'127.0.0.1')" & until curl -s -m 5 http://127.0.0.1:4567/; do :; done`
    expect((await runInBox(place, { user, script })).lines).toEqual(['own'])
  })

  // Test 85: box-unix-socket.
  it('is no unix socket of this machine, wherever it lies', async () => {
    let connections = 0
    const socket = join(place.site.project, 's')
    await listen(
      createServer((connection) => {
        connections++
        connection.end('in')
      }),
      socket,
    )
    const connect = `node -e "require('net').connect('s').on('connect',()=>console.log('IN')).on('error',(e)=>console.log(e.code))"`
    const script = `${connect}; python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('s'); print('IN')" 2>/dev/null; echo end`
    const { lines } = await runInBox(place, { user, script })
    expect(lines).toEqual([expect.stringMatching(/EPERM|EACCES/), 'end'])
    expect(connections).toBe(0)
  })

  it('is nothing any more when the runner is killed: no process, no socket, no file of the box is left', async () => {
    const mark = newMark()
    const { project, given } = place.site
    let box = ''
    await runInBox(place, {
      user,
      // Where its temporary files are, is its own directory.
      script: `exec -a agent-${mark} sleep 1000 & dirname "$TMPDIR"; wait`,
      onLine: (line, runner) => {
        box = line
        runner.kill('SIGKILL')
      },
    })
    expect(box).toMatch(/^\/tmp\/ralph-box-\w+$/)
    await until('everything of it is gone', () => processesWith(box).length === 0 && processesWith(mark).length === 0)
    await until('its directory is gone', () => !existsSync(box))
    // What protects .git outlives a kill, and the next box takes it away again, although it does nothing.
    expect(existsSync(join(project, '.git', 'commondir'))).toBe(true)
    expect(existsSync(join(given, '..', 'stand-ins.json'))).toBe(true)
    await runInBox(place, { user, script: 'true' })
    expect(existsSync(join(project, '.git', 'commondir'))).toBe(false)
    expect(existsSync(join(given, '..', 'stand-ins.json'))).toBe(false)
  })

  it('hears TERM, and has the time to end', async () => {
    writeFileSync(join(place.site.project, 'said'), '')
    ownedBy(user, place)
    const script = `trap 'echo goodbye > said; exit 3' TERM; kill -TERM $$; sleep 1000 & wait`
    expect((await runInBox(place, { user, script })).exitCode).toBe(3)
    expect(readFileSync(join(place.site.project, 'said'), 'utf8')).toBe('goodbye\n')
  })
})
