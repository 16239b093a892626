import { visibleLine } from '../base/visible.ts'
import type { Advice } from './advice.ts'
import { findPlaceholder } from './find-placeholder.ts'

/** What is still to be written or decided in the requirements. A text of another form than the template's is left alone. */
export function advisePrd(
  text: string,
  { template, path }: { readonly template: string; readonly path: string },
): Advice[] {
  const advice: Advice[] = []
  const add = (what: string, fix: string) =>
    advice.push({ rule: 'unwritten', story: null, what: `${path} ${what}`, fix })
  const written = withoutComments(text)
  if (written.trim() === '') {
    add('is empty.', 'Say there what is wanted, for agents and reviewers.')
    return advice
  }
  if (text === template) {
    add('is still the template.', 'Say there what is wanted, for agents and reviewers.')
    return advice
  }
  if (/^# PRD: PROJECT NAME\s*$/m.test(written)) add('has no title yet.', 'Replace PROJECT NAME.')
  if (written.includes('S-Patch | M-Feature | L-Epic'))
    add('names no tier.', 'Keep one of S-Patch, M-Feature and L-Epic.')
  for (const { title, body } of sectionsOf(written)) {
    if (/\b(?:Summary|Problem Statement|Technical Design)$/.test(title) && isEmpty(body)) {
      add(`has nothing in "${visibleLine(title, 60)}", which every tier requires.`, 'Write it.')
    }
    if (/\bOpen Questions$/.test(title)) {
      const open = body.split('\n').filter((line) => /^\s*(?:[-*]|\d+\.)\s+(?!~~)\S/.test(line)).length
      if (open > 0) {
        const what = `has ${open === 1 ? 'an open question' : `${open} open questions`}.`
        add(what, 'Answer them, or an agent will: strike through what is decided and say how.')
      }
    }
  }
  const placeholder = findPlaceholder(written)
  if (placeholder !== null) add(`has "${placeholder}" in it.`, 'Decide it now, or ask.')
  if (/<!-- (?:Required|Recommended)/.test(text))
    add('still has comments of the template.', 'Delete them, and the sections you do not need.')
  return advice
}

/** By hand: a pattern would look for the end of every comment that has none, which takes minutes for a large text. */
function withoutComments(text: string): string {
  const [start = '', ...rest] = text.split('<!--')
  const after = rest.map((part) => {
    const end = part.indexOf('-->')
    return end === -1 ? '' : part.slice(end + 3)
  })
  return [start, ...after].join('')
}

function sectionsOf(text: string): { readonly title: string; readonly body: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...body] = section.split('\n')
      return { title: title.trim(), body: body.join('\n') }
    })
}

/** Headings, bullets and empty tables are no text. */
const isEmpty = (body: string): boolean => !body.split('\n').some((line) => !/^(?:\s*#.*|[\s|*-]*)$/.test(line))
