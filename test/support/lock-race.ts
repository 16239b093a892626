import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A running `lock-starter`. */
export interface Starter {
  ask(line: string): Promise<string>
  end(): Promise<void>
}

export async function startStarters(program: string, count: number): Promise<Starter[]> {
  return Promise.all(Array.from({ length: count }, async () => startOne(program)))
}

async function startOne(program: string): Promise<Starter> {
  const child: ChildProcess = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: ((line: string) => void)[] = []
  let pending = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) waiting.shift()?.(line)
  })
  const ask = async (line: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      child.stdin?.write(`${line}\n`)
    })
  // Once round, so that it is loaded and warm before a race begins.
  await ask('release')
  return {
    ask,
    async end() {
      const exited = once(child, 'exit')
      child.stdin?.end()
      await exited
    },
  }
}

/** All starters try at the same moment; the answers. */
export async function race(starters: readonly Starter[], path: string): Promise<string[]> {
  const time = performance.timeOrigin + performance.now() + 3
  return Promise.all(starters.map(async (starter) => starter.ask(`try ${path} ${time}`)))
}
