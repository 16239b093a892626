import type { Rule } from '../../rule.ts'

export const pluginFile: Rule = {
  name: 'plugin-file',
  category: 'self-tampering',
  why: 'It belongs to Ralph itself, which guards this loop.',
  instead: 'Leave it alone; if Ralph is wrong, say so in your last message, and people will change it.',
  guarded: ({ plugin }) => (plugin === null ? [] : [{ path: plugin }]),
}
