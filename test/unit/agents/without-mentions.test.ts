import { expect, it } from 'vitest'
import { withoutMentions } from '../../../src/agents/without-mentions.ts'
import { builtAgents } from '../../../src/agents/registry.ts'
import { someRequest } from '../../support/play-stream.ts'

it('leaves a prompt without an at sign as it is', () => {
  expect(withoutMentions('Do it.')).toBe('Do it.')
})

it('leaves no at sign without a backslash, and says so', () => {
  const text = withoutMentions(String.raw`@a.txt me@b.txt "@c" @@d \@e`)
  expect(text).toContain(String.raw`\@a.txt me\@b.txt "\@c" \@\@d \\@e`)
  expect(text).toMatch(/^In this prompt every at sign/)
  expect(text).not.toMatch(/(?<!\\)@/)
})

it.each(['gemini', 'qwen'])('%s gets such a prompt', (name) => {
  const agent = builtAgents.find((candidate) => candidate.name === name)
  expect(agent?.command({ ...someRequest, prompt: 'see @a.txt' }).stdin).toContain(String.raw`see \@a.txt`)
})
