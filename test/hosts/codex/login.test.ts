import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CodexLab, codexProgram, userConfig } from './lab.ts'

/** A token that says when it ends; nobody here looks at its signature. */
function token(endsInS: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const auth = { chatgpt_plan_type: 'pro', chatgpt_user_id: 'user', chatgpt_account_id: 'account' }
  const exp = Math.floor(Date.now() / 1000) + endsInS
  return `${part({ alg: 'none' })}.${part({ exp, email: 'user@example.org', 'https://api.openai.com/auth': auth })}.x`
}

describe.skipIf(codexProgram === null)('a codex that is logged in with an account', () => {
  let lab: CodexLab
  /** Who gives new tokens, and everything else that an account brings along. */
  let account: Server
  const asked: string[] = []
  const url = (): string => `http://127.0.0.1:${(account.address() as AddressInfo).port}`

  beforeEach(async () => {
    lab = await CodexLab.open()
    asked.length = 0
    account = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const renewed = { id_token: token(3600), access_token: token(3600), refresh_token: 'the-second' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(renewed))
    })
    await new Promise<void>((resolve) => account.listen(0, '127.0.0.1', resolve))
    const config = userConfig(lab.api.url).replace('env_key = "OPENAI_API_KEY"', 'requires_openai_auth = true')
    writeFileSync(join(lab.config, 'config.toml'), `chatgpt_base_url = "${url()}/account"\n${config}`)
    delete lab.env['OPENAI_API_KEY']
    lab.env['CODEX_REFRESH_TOKEN_URL_OVERRIDE'] = `${url()}/renew`
  })
  afterEach(async () => {
    account.closeAllConnections()
    await new Promise((resolve) => account.close(resolve))
    await lab.close()
  })

  function logIn(endsInS: number): string {
    const path = join(lab.config, 'auth.json')
    const tokens = {
      id_token: token(endsInS),
      access_token: token(endsInS),
      refresh_token: 'the-first',
      account_id: 'account',
    }
    const text = JSON.stringify({ OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() })
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }

  it("renews a login where the user has it: else the user's own would be worth nothing", async () => {
    const path = logIn(-60)
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    expect(asked.filter((line) => line === 'POST /renew')).toHaveLength(1)
    expect(readFileSync(path, 'utf8')).toContain('the-second')
    expect(lstatSync(path).isFile()).toBe(true)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
  })

  it('does not bring along what else the account can do', async () => {
    logIn(3600)
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    expect(asked.filter((line) => /mcp|plugin|connector/.test(line))).toEqual([])
    const tools = lab.api.asked.flatMap((request) => request.tools)
    expect(tools).toContain('exec_command')
    expect(tools.filter((tool) => /apps|plugin|connector|goal/.test(tool))).toEqual([])
  })
})
