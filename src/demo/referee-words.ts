import { temptingTest } from './project.ts'

/** How the sentences begin that the referee has for what the demo's agent does to the third story. */
const beginnings = ['Implement iterations cannot set passes=true', `${temptingTest}: the checks stand on this file`]

/** What the referee told the agent about its short cut, as it stands in the prompt; empty if it is not there. */
export function refereeWords(prompt: string): string[] {
  const lines = prompt.split('\n')
  return beginnings.flatMap((beginning) => {
    const line = lines.find((line) => line.includes(beginning))
    return line === undefined ? [] : [firstSentences(line.slice(line.indexOf(beginning)))]
  })
}

/** Enough to recognize it: the rest is for agents that do not know yet what to do about it. */
function firstSentences(text: string): string {
  const end = text.indexOf('. ', 20)
  return end === -1 ? text : text.slice(0, end + 1)
}
