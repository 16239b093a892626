import { basename, join } from 'node:path'
import { shellQuote } from '../base/shell-quote.ts'
import type { DemoPlace } from '../demo/place.ts'
import { installationRoot } from './installation.ts'

export const whatIsComing = ({ isOld, directory }: DemoPlace): string[] =>
  isOld
    ? [`The demo in ${directory} goes on.`, '']
    : [
        'A whole loop in a scratch project: three small stories, real tests, real commits.',
        'Only the agent is scripted. The review of US-002 will find what its tests do not see;',
        'in US-003 the agent cheats: watch the referee.',
        '',
      ]

export const whatWasSeen: readonly string[] = [
  '',
  'What you saw: a story counts when another start of the agent has reviewed it and its',
  'checks passed when Ralph ran them. The easier test and the self-made approval of US-003',
  'were put back, and its early "COMPLETE" ended nothing.',
]

/** The scratch project that the summary spoke of is not there any more. */
export function whatIsLeft(isDone: boolean): string[] {
  const gone = `The scratch project is gone; to keep one: ${ownCommand()} demo --keep`
  return isDone ? [gone, `In a project of yours: ${ownCommand()} init`] : [gone]
}

/** For who wants to see more of a demo that was kept. */
export function whereToLook({ directory, project, stateDir }: DemoPlace): string[] {
  const ralph = `RALPH_STATE_DIR=${shellQuote(stateDir)} ${ownCommand()}`
  return [
    '',
    `Everything of it is in ${directory}:`,
    `  git -C ${shellQuote(project)} log --oneline`,
    `  ${ralph} status --project-dir ${shellQuote(project)}`,
    `  ${ralph} log --project-dir ${shellQuote(project)}`,
  ]
}

/** How this very program can be called again: a fresh clone is on nobody's PATH. */
function ownCommand(): string {
  if (basename(process.argv[1] ?? '') === 'ralph') return 'ralph'
  return shellQuote(join(installationRoot(), 'scripts', 'ralph.sh'))
}
