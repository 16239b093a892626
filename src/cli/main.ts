#!/usr/bin/env node
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { describeFailure, exitCodeFor } from '../model/describe-failure.ts'
import type { Failure } from '../model/failure.ts'
import { commands } from './commands.ts'
import { dispatch } from './dispatch.ts'
import { journalInUse } from './journal-in-use.ts'
import { openPrinter } from './print.ts'
import { restoreEnvironment } from './restore-environment.ts'
import { isVerbose } from './understand.ts'

/** EX_SOFTWARE of sysexits: the fault is Ralph's and nobody else's. */
const bugExitCode = 70
/** A child that even KILL does not end is given up after 5 s; this is for what nobody thought of. */
const endChildrenMs = 8000

const words = process.argv.slice(2)
const printer = openPrinter(onOutputError)
/** Said once, however many lines follow. */
let outputFailed = false
let isLost = false

restoreEnvironment(process.env)
process.on('uncaughtException', endByBug)

try {
  const result = await dispatch(words, commands, { output: printer, env: process.env, cwd: currentDirectory })
  if (result.ok) process.exitCode ??= result.value
  else reportFailure(result.error)
} catch (error) {
  endByBug(error)
}

function currentDirectory(): Result<string, Failure> {
  try {
    return ok(process.cwd())
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    const fix = 'Change to a directory that exists and start again.'
    return err({ reason: 'missing-file', path: 'The current directory', fix })
  }
}

function reportFailure(failure: Failure): void {
  const { what, fix } = describeFailure(failure)
  printer.remark(`ralph: ${what}\n${fix}`)
  process.exitCode = exitCodeFor(failure)
}

/** Whatever is still going on belongs to a program that has lost its way: its children must not outlive it. */
function endByBug(bug: unknown): void {
  if (isLost) return
  isLost = true
  reportBug(bug)
  const exit = (): never => process.exit(bugExitCode)
  setTimeout(exit, endChildrenMs)
  // Loaded only now, for the sake of every other start.
  void import('../process/live-children.ts').then(({ killAllChildren }) => killAllChildren()).finally(exit)
}

function reportBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  printer.remark(`ralph: a bug in Ralph: ${visibleLine(message, 300)}`)
  if (isVerbose(words)) printer.remark(error instanceof Error ? (error.stack ?? '') : '')
  else printer.remark('Run the same again with --verbose and report what it prints.')
  const journal = journalInUse()
  if (journal !== null) printer.remark(`The journal of the run is ${journal}; "ralph run" goes on with it.`)
}

/** A reader or terminal that went away (`ralph log | head`) is normal; a full disk behind a redirection is not. */
function onOutputError(error: NodeJS.ErrnoException): void {
  const code = error.code ?? error.message
  if (outputFailed || ['EPIPE', 'ERR_STREAM_DESTROYED', 'EIO'].includes(code)) return
  outputFailed = true
  reportFailure({ reason: 'storage', doing: 'write to', path: 'standard output', code })
}
