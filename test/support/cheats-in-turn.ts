import { beforeAll, describe, expect, it } from 'vitest'
import type { IterationMode } from '../../src/model/story.ts'
import type { RuleName } from '../../src/model/violation.ts'
import { play, type Cheat, type Played } from './cheats.ts'
import type { LoopProject, LoopSetup, Scene } from './loop-project.ts'

/** One lie of several that an agent tells instead of its work, each in an iteration of its own. */
export interface Turn {
  readonly name: string
  readonly act: Scene
  readonly rules: readonly RuleName[]
  /** What must have been kept in that iteration. */
  readonly takenOut?: readonly string[]
  /** What the next prompt says; default: each rule as `put back [rule]`. */
  readonly told?: readonly string[]
  /** What must hold at the end, outside of the project too. */
  readonly after?: (lab: LoopProject) => void
}

export interface Stage {
  /** The mode of every iteration in which one of them is told; default: implement. */
  readonly begins?: IterationMode
  readonly setup?: LoopSetup
}

/** Lies that leave no work behind, one after the other in two runs: each run costs half a second before it begins. */
export function playInTurn(what: string, turns: readonly Turn[], stage: Stage = {}): void {
  describe(what, () => {
    describe.concurrent.each([
      ['one after the other for ever: never complete', 'always'],
      ['each once: the run recovers, completes, and its journal shows it', 'once'],
    ] as const)('%s', (_, how) => {
      let played: Played
      beforeAll(async () => {
        played = await play(inTurn(what, turns, stage), how)
      }, 120_000)

      it.each(turns.map((turn, index) => ({ ...turn, iteration: index + 1 })))('$name', (turn) => {
        const { iteration, rules, takenOut = [], told = rules.map((rule) => `put back [${rule}]`) } = turn
        expect(rulesIn(played, iteration)).toEqual(expect.arrayContaining([...rules]))
        expect(played.takenOut.get(iteration) ?? []).toEqual(expect.arrayContaining([...takenOut]))
        const next = played.prompts.get(iteration + 1)
        for (const words of next === undefined ? [] : told) expect(next).toContain(words)
      })
    })
  })
}

function inTurn(name: string, turns: readonly Turn[], { begins = 'implement', setup = {} }: Stage): Cheat {
  const acts = turns.map(({ act }) => `() => {\n${act}\n}`).join(',\n')
  const patience = ['--max-consecutive-errors', '99', '--idle-threshold', '99']
  return {
    name,
    in: 'every',
    begins,
    setup,
    args: ['-n', String(turns.length), ...patience],
    always: `[${acts}][stage.iteration - 1](); stage.promise()`,
    onceArgs: ['-n', '40', ...patience],
    once: `const act = [${acts}][stage.iteration - 1]; act === undefined ? stage.honest() : (act(), stage.promise())`,
    rules: [],
    after: ({ lab }) => {
      for (const { after } of turns) after?.(lab)
    },
  }
}

const rulesIn = ({ events }: Played, iteration: number): RuleName[] =>
  events.flatMap((event) =>
    event.kind === 'verdict.given' && event.iteration === iteration ? event.violations.map(({ rule }) => rule) : [],
  )
