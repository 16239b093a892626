import { steeringPaths } from '../../../model/steering-paths.ts'
import type { Rule } from '../../rule.ts'
import { star } from '../../shell/pattern.ts'

const names = [...steeringPaths, `.claude/settings${star}.json`].map((name) => name.replace(/\/$/, ''))
const inClaude = names.filter((name) => name.startsWith('.claude/')).map((name) => name.slice('.claude/'.length))

export const steeringFile: Rule = {
  name: 'steering-file',
  category: 'self-tampering',
  why: 'It configures what coding agents run and may do, and that does not change during a loop.',
  instead: 'Do the work without it; what later authors should know goes into CLAUDE.md or progress.txt.',
  guarded: ({ projects, home, claudeDirs }) => [
    ...[...projects, home].flatMap((root) => names.map((name) => ({ path: `${root}/${name}` }))),
    ...claudeDirs.flatMap((dir) => inClaude.map((name) => ({ path: `${dir}/${name}` }))),
    { path: `${home}/.claude.json` },
  ],
}
