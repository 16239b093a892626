import type { Rule } from '../../rule.ts'

export const markerName = '.ralph-active'

export const marker: Rule = {
  name: 'marker',
  category: 'self-tampering',
  why: 'It marks the running loop, and only the runner writes it.',
  instead: 'Leave it alone; it goes away by itself when the loop ends.',
  guarded: ({ projects }) => projects.map((project) => ({ path: `${project}/${markerName}` })),
}
