import { withWords } from '../../among.ts'
import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { harmfulVerb, isHarmless, verbGrammar, type VerbGrammar } from '../../verbs.ts'

export const publish: Rule = {
  name: 'publish',
  category: 'supply-chain',
  why: 'What is published is run by others, and cannot be taken back.',
  instead:
    'Build the package and look at it (`npm pack`, `npm publish --dry-run`, `cargo package`), and leave publishing to people.',
  get programs() {
    const often = ['npm', 'pnpm', 'yarn', 'bun']
    const verbs = registry.split(' ').map((verb) => verb.replace(/\/.*/, ''))
    return [
      ...[...programs.keys()].filter((name) => !often.includes(name)),
      ...often.map((name) => withWords(name, verbs)),
      ...alone,
      'python* pack depot',
    ].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const what = isHarmless(program.args) ? null : whatOf(program)
      if (what !== null) return `would publish or change what is published (${program.name} ${what})`
    }
    return null
  },
}

const registry =
  'publish unpublish deprecate undeprecate login adduser logout owner/add owner/rm owner/remove access/grant access/revoke access/set access/public access/restricted dist-tag/add dist-tag/rm token/create token/revoke token/delete team/add team/rm team/create team/destroy org/set org/rm hook/add hook/rm profile/set'
const node = verbGrammar(registry, {
  looking:
    'install i add in ci run run-script test t tst start exec x dlx create init view info show search ls list help why audit remove rm uninstall un update up upgrade outdated pack version link config set get cache',
  valued: '-w --workspace --prefix -C --dir --registry --filter --tag --otp --access',
})
const simple = (verbs: string, valued = ''): VerbGrammar => verbGrammar(verbs, { valued })

const programs: ReadonlyMap<string, VerbGrammar> = new Map<string, VerbGrammar>([
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, node] as const),
  ['lerna', simple('publish')],
  ...['changeset', 'changesets'].map((name) => [name, simple('publish')] as const),
  ['nx', simple('release/publish')],
  ['jsr', simple('publish')],
  ['deno', simple('publish')],
  ['cargo', simple('publish yank login logout', '--color --config -Z')],
  ['twine', simple('upload')],
  ...['poetry', 'uv', 'flit', 'hatch', 'pdm', 'rye', 'maturin'].map(
    (name) => [name, simple('publish upload')] as const,
  ),
  ['gem', simple('push yank signin')],
  ['rake', simple('release')],
  ['pod', simple('trunk/push trunk/delete trunk/deprecate trunk/add-owner repo/push')],
  ['mix', simple('hex.publish hex.retire hex.owner')],
  ['rebar3', simple('hex/publish hex/retire')],
  ...['flutter', 'dart'].map((name) => [name, simple('pub/publish')] as const),
  ['nuget', simple('push delete')],
  ['dotnet', simple('nuget/push nuget/delete')],
  ...['mvn', 'mvnw'].map((name) => [name, simple('deploy deploy:* release:perform', '-pl -P -f -s')] as const),
  ...['gradle', 'gradlew'].map(
    (name) =>
      [
        name,
        simple(
          'publish publishallpublicationsto* publishplugins publishtomavencentral uploadarchives *:publish closeandreleaserepository',
          '-p -P -D',
        ),
      ] as const,
  ),
  ...['sbt'].map((name) => [name, simple('publish publishsigned sonatyperelease *release')] as const),
  ['lein', simple('deploy')],
  ['cabal', simple('upload')],
  ['stack', simple('upload')],
  ['luarocks', simple('upload')],
  ['opam', simple('publish')],
  ['vsce', simple('publish unpublish', '-p --pat')],
  ['ovsx', simple('publish', '-p --pat')],
  ['web-ext', simple('sign')],
  ['snapcraft', simple('upload push release')],
  ['choco', simple('push')],
  ['helm', simple('push cm-push')],
  ...['docker', 'podman', 'nerdctl', 'finch', 'buildah', 'img'].map(
    (name) =>
      [
        name,
        simple('push image/push manifest/push compose/push', '-H --host --context --config -l --log-level'),
      ] as const,
  ),
  ...['docker-compose', 'podman-compose'].map((name) => [name, simple('push', '-f --file -p')] as const),
  ['crane', simple('push copy cp delete tag append mutate')],
  ['oras', simple('push copy cp delete attach')],
  ['skopeo', simple('copy delete sync', '--authfile --command-timeout')],
  ['ko', simple('build publish apply resolve')],
  ['goreleaser', simple('release publish')],
  ['conda', simple('upload')],
  ['anaconda', simple('upload remove')],
  ['huggingface-cli', simple('upload delete-cache repo/create tag')],
  ['hf', simple('upload upload-large-folder repo/create repo/delete')],
])

/** They publish when they are just called. */
const alone = new Set(['semantic-release', 'release-it', 'np', 'bumpp', 'shipjs', 'cpan-upload', 'gh-release'])

function whatOf({ name, args }: Ran): string | null {
  if (name === 'goreleaser' && args.some((arg) => /^--(?:snapshot|skip=.*publish|skip-publish)/.test(arg))) return null
  if (name === 'ko' && args.some((arg) => arg === '--local' || arg === '-L' || arg === '--push=false')) return null
  if (alone.has(name))
    return args.some((arg) => /^(?:--(?:version|ci-check|no-publish|no-npm\.publish|preview)|-v|-d)$/.test(arg))
      ? null
      : args.join(' ')
  if (
    /^python[\d.]*$/.test(name) &&
    args.some((arg) => arg.endsWith('setup.py')) &&
    args.some((arg) => arg === 'upload' || arg === 'register')
  )
    return 'setup.py upload'
  if (
    (name === 'cargo' || name === 'gem') &&
    args.includes('owner') &&
    args.some((arg) => /^(?:-a|-r|--add|--remove)$/.test(arg))
  )
    return 'owner'
  if (isBuildPush(name, args)) return 'build --push'
  const grammar = programs.get(name)
  return grammar === undefined ? null : harmfulVerb(args, grammar)
}

const isBuildPush = (name: string, args: readonly string[]): boolean =>
  /^(?:docker|podman|nerdctl|pack|depot)$/.test(name) &&
  /^(?:build|buildx|bake)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '') &&
  args.some((arg) => arg === '--push' || arg === '--publish' || /type=registry|push=true/.test(arg))
