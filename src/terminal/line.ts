import type { Mark } from './symbols.ts'

/** One line of output before it is laid out. The text may be anybody's: it becomes visible text in the layout. */
export interface Line {
  /** Whose words these are. What the agent says is set off in plain output, and what the runner says has its time there. */
  readonly from: 'runner' | 'agent' | 'summary'
  /** quiet: shown also with `-q`; verbose: shown only with `--verbose`. */
  readonly level: 'quiet' | 'normal' | 'verbose'
  readonly indent: number
  readonly mark: Mark | null
  readonly text: string
  /** Ours: stays when the text is cut. */
  readonly tail: string
  readonly tone: Tone
  /** What becomes of a text that is wider than the terminal. `whole`: it has to be copied, so nothing is done to it. */
  readonly fit: 'wrap' | 'cut' | 'whole'
}

export type Tone = 'normal' | 'dim' | 'strong' | 'good' | 'bad' | 'attention'

type Details = Partial<Omit<Line, 'from' | 'text'>>

const ordinary = { level: 'normal', indent: 2, mark: null, tail: '', tone: 'normal', fit: 'wrap' } as const

export const runnerLine = (text: string, details: Details = {}): Line => ({
  ...ordinary,
  from: 'runner',
  text,
  ...details,
})

export const agentLine = (text: string, details: Details = {}): Line => ({
  ...ordinary,
  indent: 4,
  from: 'agent',
  text,
  ...details,
})

export const summaryLine = (text: string, details: Details = {}): Line => ({
  ...ordinary,
  level: 'quiet',
  indent: 0,
  from: 'summary',
  text,
  ...details,
})
