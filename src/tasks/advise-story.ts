import { visibleLine } from '../base/visible.ts'
import type { Story } from '../model/story.ts'
import type { Advice } from './advice.ts'
import { adviseCommands } from './advise-commands.ts'
import { findPlaceholder } from './find-placeholder.ts'
import { namesCheck } from './names-check.ts'
import { isBlank } from './read-tasks.ts'
import { findVagueWords } from './vague-words.ts'

/** The seed's rule of thumb: what needs more than three sentences is more than one iteration. */
const maxSentences = 3
const maxDescription = 600
const maxCriteria = 7

/** What makes one story hard to build in one context, or its review a matter of opinion. */
export function adviseStory(story: Story): Advice[] {
  return [
    ...adviseText(story),
    ...adviseSize(story),
    ...story.acceptanceCriteria.flatMap((criterion) => adviseCriterion(story.id, criterion)),
    ...adviseCommands(story.verifyCommands ?? [], story.id),
  ]
}

function adviseText({ id, title, description }: Story): Advice[] {
  const advice: Advice[] = []
  const add = (what: string, fix: string) => advice.push({ rule: 'unwritten', story: id, what, fix })
  if (isBlank(title)) add('has no title.', 'Say in a few words what will be there.')
  if (isBlank(description)) {
    add('has no description.', 'Say in one to three sentences who wants what, and where in the code it goes.')
  }
  for (const [field, text] of Object.entries({ title, description })) {
    const placeholder = findPlaceholder(text ?? '')
    if (placeholder !== null) add(`has "${placeholder}" in its ${field}.`, 'Decide it now, or ask.')
  }
  return advice
}

function adviseSize({ id, title, description = '', acceptanceCriteria }: Story): Advice[] {
  const advice: Advice[] = []
  const add = (what: string, fix: string) => advice.push({ rule: 'too-big', story: id, what, fix })
  const count = acceptanceCriteria.length
  if (count > maxCriteria) {
    add(
      `has ${count} criteria: probably more than one context holds.`,
      `Split it into stories of at most ${maxCriteria} criteria, joined by dependsOn.`,
    )
  }
  const sentences = countSentences(description)
  if (sentences > maxSentences || description.length > maxDescription) {
    const size = sentences > maxSentences ? `${sentences} sentences` : `${description.length} characters`
    add(
      `takes ${size} to describe; what does not fit into ${maxSentences} sentences is too big.`,
      'Split it, and move background to prd.md.',
    )
  }
  if (countJoints(title) > 1) {
    add('names several things in its title.', 'Make each of them a story of its own.')
  } else if (sentences <= maxSentences && countJoints(description) > 5) {
    add('joins many things in its description.', 'Make each of them a story of its own.')
  }
  return advice
}

function adviseCriterion(story: string, criterion: string): Advice[] {
  const quoted = `"${visibleLine(criterion, 80)}"`
  const placeholder = findPlaceholder(criterion)
  if (placeholder !== null) {
    const what = `has "${placeholder}" in the criterion ${quoted}.`
    return [{ rule: 'unwritten', story, what, fix: 'Decide it now, or ask.' }]
  }
  const vague = findVagueWords(criterion)
  if (vague !== null) {
    const { found, words } = vague
    const what = `has the vague criterion ${quoted}: "${visibleLine(found, 40)}" ${words.why}.`
    return [{ rule: 'vague', story, what, fix: `Say what can be seen, like: ${words.better}.` }]
  }
  if (criterion.trim().split(/\s+/, 3).length < 3 && !/[`"\d]/.test(criterion) && !namesCheck(criterion)) {
    const what = `has the criterion ${quoted}, which says too little.`
    return [{ rule: 'vague', story, what, fix: 'Say what can be seen when it is met.' }]
  }
  if (countAnds(criterion) > 2) {
    const what = `has the criterion ${quoted}, which asks for several things.`
    return [{ rule: 'too-big', story, what, fix: 'Make a criterion of each, so that a review can tell them apart.' }]
  }
  return []
}

const looked = (text: string): string => text.slice(0, 5000)

function countSentences(text: string): number {
  const plain = looked(text).replaceAll(/\b(?:e\.g|i\.e|etc|vs|cf)\./gi, '')
  return plain.split(/[.!?]+(?:\s|$)/).filter((part) => part.trim() !== '').length
}

const countAnds = (text: string): number => looked(text).match(/\b(?:and|plus|as well as)\b|&/gi)?.length ?? 0

/** The places where a text goes on to the next thing. */
const countJoints = (text: string): number =>
  looked(text).match(/,? (?:and|plus|as well as|also) | & |; |, /gi)?.length ?? 0
