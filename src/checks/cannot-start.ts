import { isAbsolute } from 'node:path'

/**
 * Whether our shell could not find or start a program that no agent can bring: one that is missing on PATH or outside the
 * project. A script of the project that is missing or not executable is work like any other, and so is `npm test` whose own
 * shell misses a package.
 *
 * The shell's words depend on the language, so only its form is read: `/usr/bin/bash: line 1: pytest: command not found`,
 * `/bin/sh: 1: pytest: not found`. The shells of npm and others call themselves by a bare name.
 */
export function cannotStart(exitCode: number | null, output: string, project: string): boolean {
  if (exitCode !== 126 && exitCode !== 127) return false
  return output.split('\n').some((line) => {
    const [shell = '', where = '', program = '', ...why] = line.split(': ')
    if (!/^\/.*\/(?:ba)?sh$/.test(shell) || !/\d/.test(where) || why.length === 0) return false
    return isAbsolute(program) ? !`${program}/`.startsWith(`${project}/`) : !program.includes('/')
  })
}
