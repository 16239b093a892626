import { visibleLine } from '../base/visible.ts'
import { unreachable } from '../base/unreachable.ts'
import type { Failure } from './failure.ts'

/** For people: what is wrong, and what to do about it. A list of problems makes `what` longer than one line. */
export interface FailureText {
  readonly what: string
  readonly fix: string
}

export function describeFailure(failure: Failure): FailureText {
  switch (failure.reason) {
    case 'usage':
      return { what: failure.message, fix: failure.fix }
    case 'not-built-yet':
      return {
        what: `"${failure.command}" is not built yet in this version.`,
        fix: 'Run "ralph --help" for what is there.',
      }
    case 'invalid-tasks':
      return {
        what: [
          `${visibleLine(failure.path)} is not a valid task list:`,
          ...failure.problems.map((p) => `  - ${visibleLine(p, 500)}`),
        ].join('\n'),
        fix: 'Correct these lines and run "ralph check" again.',
      }
    case 'invalid-settings':
      return {
        what: [
          `${visibleLine(failure.path)} is not valid:`,
          ...failure.problems.map((p) => `  - ${visibleLine(p, 500)}`),
        ].join('\n'),
        fix: 'Correct these lines and start again.',
      }
    case 'unsafe-file':
      return {
        what: `${visibleLine(failure.path)} cannot be used: ${visibleLine(failure.why)}.`,
        fix: 'Put a regular file there (no link, at most 8 MB) and start again.',
      }
    case 'missing-file':
      return { what: `${visibleLine(failure.path)} is missing.`, fix: failure.fix }
    case 'storage':
      return {
        what: `Could not ${failure.doing} ${visibleLine(failure.path)} (${failure.code}).`,
        fix: storageFix(failure.code),
      }
    case 'journal-damaged':
      return {
        what: `${visibleLine(failure.path)}, line ${failure.line}: ${visibleLine(failure.why)}. Nothing was overwritten.`,
        fix: 'Keep a copy of the file, then start a new run with "ralph run --fresh".',
      }
    case 'locked':
      return { what: `This project is in use: ${visibleLine(failure.holder)}.`, fix: failure.fix }
    case 'not-a-repository':
      return { what: failure.why, fix: failure.fix }
    case 'cannot-switch':
      return {
        what: `Could not switch to the branch "${visibleLine(failure.branch)}": ${visibleLine(failure.why, 500)}.`,
        fix: visibleLine(failure.fix, 500),
      }
    case 'unsafe-project':
      return {
        what: `${visibleLine(failure.path)} cannot be a project: ${visibleLine(failure.why)}.`,
        fix: failure.why.includes('state directory')
          ? 'Choose another project with --project-dir, or another place for the state with RALPH_STATE_DIR.'
          : 'Give --project-dir the directory of a project.',
      }
    case 'unsafe-git-directory':
      return {
        what: `${visibleLine(failure.path)} cannot be trusted: ${visibleLine(failure.why)}.`,
        fix:
          'Look at it by hand; remove what you did not put there, then start again.' +
          (failure.kept === null ? '' : ` The commits of this run are kept in ${visibleLine(failure.kept, 4096)}`),
      }
    case 'git-failed':
      return {
        what: `git could not ${failure.doing} (exit ${failure.exitCode ?? 'by signal'}): ${visibleLine(failure.stderr, 300)}`,
        fix: 'Run the same run again with --verbose; if it stays, report it with this line.',
      }
    case 'program-not-found':
      return {
        what: `The program "${visibleLine(failure.program)}" was not found (nothing inside the project counts).`,
        fix: failure.fix,
      }
    case 'cannot-start':
      return {
        what: `The program "${visibleLine(failure.program)}" could not be started (${failure.code}).`,
        fix: 'Check that it exists and is executable.',
      }
    case 'isolation-unavailable':
      return { what: failure.why, fix: failure.fix }
    case 'agent-refuses-root':
      return {
        what: `${failure.agent} does not run as root outside of a sandbox.`,
        fix: 'Run Ralph as a normal user. If this machine is a sandbox already, set IS_SANDBOX=1.',
      }
    case 'agent-bad-version':
      return {
        what: `${failure.agent} ${visibleLine(failure.version, 40)} does not work here: ${failure.why}.`,
        fix: `Install a newer ${failure.agent}.`,
      }
    default:
      return unreachable(failure)
  }
}

export function exitCodeFor(failure: Failure): 2 | 3 {
  switch (failure.reason) {
    case 'usage':
    case 'not-built-yet':
    case 'invalid-tasks':
    case 'invalid-settings':
    case 'unsafe-file':
    case 'missing-file':
    case 'unsafe-project':
    case 'cannot-switch':
      return 2
    case 'storage':
    case 'journal-damaged':
    case 'locked':
    case 'not-a-repository':
    case 'unsafe-git-directory':
    case 'git-failed':
    case 'program-not-found':
    case 'cannot-start':
    case 'isolation-unavailable':
    case 'agent-refuses-root':
    case 'agent-bad-version':
      return 3
    default:
      return unreachable(failure)
  }
}

function storageFix(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space, then start the same run again: it goes on where it was.'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'Make it writable for you. Where the state of runs is kept can be changed with RALPH_STATE_DIR.'
    case 'ENOENT':
    case 'ENOTDIR':
      return 'Make its directory first. Where the state of runs is kept can be changed with RALPH_STATE_DIR.'
    default:
      return 'Check the disk, then start the same run again: it goes on where it was.'
  }
}
