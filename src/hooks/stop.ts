import { answer } from './host/answer.ts'
import { endTurn } from './stop/end-turn.ts'

answer('stop', (input) => {
  const [, , loop = '', statusFd = ''] = process.argv
  return endTurn(input, { loop, statusFd: Number.parseInt(statusFd, 10), env: process.env })
})
