import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { harmfulVerb, isHarmless, verbGrammar, type VerbGrammar } from '../../verbs.ts'

export const deployment: Rule = {
  name: 'deployment',
  category: 'cloud',
  why: 'It puts unfinished work where users of it are.',
  instead: 'Build and test it here, and leave the deployment to people or to CI.',
  get programs() {
    return [...programs.keys(), 'vercel', 'netlify'].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const verb = verbOf(program)
      if (verb !== null) return `would deploy (${program.name} ${verb})`
    }
    return null
  },
}

const deploys = verbGrammar('deploy')

const programs: ReadonlyMap<string, VerbGrammar> = new Map<string, VerbGrammar>([
  ...[
    'firebase',
    'sls',
    'serverless',
    'sam',
    'sst',
    'eb',
    'kamal',
    'amplify',
    'copilot',
    'cdk',
    'shuttle',
    'dokku',
  ].map((name) => [name, deploys] as const),
  ...['fly', 'flyctl', 'mrsk', 'cap', 'modal', 'appcfg.py', 'zeit', 'goploy'].map((name) => [name, deploys] as const),
  [
    'gcloud',
    verbGrammar('deploy', {
      valued: '--project --account --configuration --format --region --zone',
      looking: 'list describe help',
    }),
  ],
  ['wrangler', verbGrammar('deploy publish rollback', { valued: '-c --config -e --env' })],
  ['railway', verbGrammar('up redeploy')],
  [
    'heroku',
    verbGrammar('container:release container:push releases:rollback pipelines:promote', { valued: '-a --app' }),
  ],
  ['supabase', verbGrammar('db/push functions/deploy')],
  ['eas', verbGrammar('submit update')],
  [
    'fastlane',
    verbGrammar(
      'deliver release pilot supply upload_to_app_store upload_to_testflight upload_to_play_store beta deploy',
    ),
  ],
  ['convex', deploys],
  ['surge', verbGrammar('teardown *.surge.sh')],
  ['gh-pages', verbGrammar('-d')],
  [
    'aws',
    verbGrammar('cloudformation/deploy cloudformation/create-stack cloudformation/update-stack', {
      valued: '--profile --region --output --query --endpoint-url',
      looking: 'help',
      depth: 2,
    }),
  ],
])

function verbOf({ name, args }: Ran): string | null {
  if (isHarmless(args)) return null
  const has = (...options: readonly string[]): boolean => options.some((option) => args.includes(option))
  if ((name === 'vercel' || name === 'netlify') && has('--prod', '-p', '--target=production', 'promote', 'rollback'))
    return '--prod'
  if (name === 'gh-pages') return has('-d', '--dist') ? '--dist' : null
  const grammar = programs.get(name)
  return grammar === undefined ? null : harmfulVerb(args, grammar)
}
