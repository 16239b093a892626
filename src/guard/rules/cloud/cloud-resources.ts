import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { harmfulVerb, verbGrammar, type VerbGrammar } from '../../verbs.ts'

export const cloudResources: Rule = {
  name: 'cloud-resources',
  category: 'cloud',
  why: 'It removes, stops or opens what others depend on, on machines that are not this one.',
  instead: 'Look with the commands that only list or describe, and leave the change to people.',
  get programs() {
    return [...programs.keys(), 'kafka-*'].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const verb = isLocal(program) ? null : verbOf(program)
      if (verb !== null) return `would change what is in the cloud (${program.name} ${verb})`
    }
    return null
  },
}

const removing = 'delete destroy remove rm purge terminate'

/** The second word says all: `terminate-instances`. */
const amazon = verbGrammar(
  'delete-* terminate-* remove-* purge-* destroy-* deregister-* disable-* revoke-* detach-* disassociate-* stop-* reboot-* release-* reset-* cancel-* batch-delete-* admin-delete-* admin-disable-* bulk-delete-* force-* schedule-key-deletion attach-* authorize-* create-access-key create-user leave-organization create-login-profile update-login-profile update-assume-role-policy add-user-to-group change-resource-record-sets put-bucket-policy put-bucket-acl put-object-acl put-public-access-block put-user-policy put-role-policy put-group-policy modify-db-instance send-command s3/rm s3/rb empty-bucket',
  {
    valued:
      '--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format',
    looking: 'help',
    depth: 2,
  },
)

const google = verbGrammar(
  `${removing} delete-* remove-* add-iam-policy-binding set-iam-policy reset stop disable firewall-rules/create keys/create abandon abandon-instances reset-* revoke-* cancel rb`,
  {
    valued:
      '--project --account --configuration --format --verbosity --impersonate-service-account --billing-project --region --zone --flags-file --access-token-file --filter',
    looking: 'list describe help',
    depth: 6,
  },
)

const azure = verbGrammar(
  `${removing} delete-* deallocate stop restart revoke reset disable assignment/create remove-*`,
  {
    valued: '--subscription -o --output --query -g --resource-group -n --name',
    looking: 'list show help list-usages list-skus',
    depth: 6,
  },
)

/** A noun and a verb, or a verb alone; `apps:destroy` is one word. */
const platform = (more = '', valued = ''): VerbGrammar =>
  verbGrammar(`${removing} *:destroy *:delete *:remove *:rm *:purge *:reset *:disable ${more}`, {
    valued: `-a --app --project -p --profile -c --config --context -t --token --account --org -o --scope -S ${valued}`,
  })

const programs: ReadonlyMap<string, VerbGrammar> = new Map<string, VerbGrammar>([
  ['aws', amazon],
  ['gcloud', google],
  ['az', azure],
  ['gsutil', verbGrammar('rm rb', { valued: '-h -o -u -i' })],
  ['bq', verbGrammar('rm', { valued: '--project_id --location --dataset_id' })],
  ['azcopy', verbGrammar('remove rm')],
  ['s3cmd', verbGrammar('rm rb del expire', { valued: '-c --config' })],
  ['s5cmd', verbGrammar('rm rb', { valued: '--endpoint-url --profile --credentials-file --numworkers --log' })],
  ['mc', verbGrammar('rm rb user/remove', { valued: '-C --config-dir' })],
  ['mcli', verbGrammar('rm rb')],
  ['b2', verbGrammar('rm delete-* file/delete bucket/delete delete')],
  ['rclone', verbGrammar('delete deletefile purge sync dedupe rmdir rmdirs cleanup', { valued: '--config' })],
  ['restic', verbGrammar('forget prune key/remove', { valued: '-r --repo -p --password-file' })],
  ['borg', verbGrammar('delete prune compact recreate')],
  [
    'doctl',
    verbGrammar(`${removing} d delete-* shutdown power-off`, {
      valued: '-t --access-token --context -c --config -o --output',
    }),
  ],
  ['heroku', platform('pg:reset *:unset ps:stop *:revoke maintenance:on')],
  ...['fly', 'flyctl'].map((name) => [name, platform('unset suspend revoke machine/stop machines/stop')] as const),
  ['vercel', platform()],
  ['netlify', platform('env:unset')],
  ['railway', platform('down')],
  ['render', platform('suspend')],
  ['firebase', platform('*:delete hosting:disable database:remove *:destroy')],
  ['wrangler', platform()],
  ['supabase', platform('db/reset unset')],
  ['pscale', platform()],
  ...['neonctl', 'neon'].map((name) => [name, platform('reset')] as const),
  ['turso', platform('revoke')],
  ['atlas', platform('pause')],
  ['linode-cli', platform('*-delete')],
  ['hcloud', platform('poweroff shutdown reset rebuild')],
  ...[
    'scw',
    'vultr-cli',
    'exo',
    'oci',
    'ibmcloud',
    'ovhcloud',
    'civo',
    'upctl',
    'aliyun',
    'yc',
    'openstack',
    'nova',
  ].map((name) => [name, platform('delete* terminate* stop* release*')] as const),
  ['cf', platform('delete-* unbind-* unset-*')],
  ['eb', platform('abort')],
  ['copilot', platform()],
  ['amplify', platform()],
  ['eksctl', platform()],
  ['kops', platform()],
  ['doppler', platform('unset')],
  [
    'vault',
    verbGrammar('delete destroy disable revoke seal metadata/delete unwrap', { valued: '-address -namespace' }),
  ],
  ['consul', verbGrammar('kv/delete leave force-leave delete', { valued: '-http-addr -token' })],
  ['nomad', verbGrammar('job/stop stop system/gc purge delete', { valued: '-address -region -namespace' })],
  ['op', verbGrammar('delete archive suspend')],
  ['modal', platform('app/stop')],
  ['kamal', platform('prune app/stop')],
  ['databricks', platform('delete-* permanent-delete bundle/destroy')],
  ['stripe', platform('*_delete cancel')],
  ['auth0', platform()],
  ['rabbitmqctl', verbGrammar('delete_* purge_queue reset force_reset stop_app clear_permissions')],
  ['rabbitmqadmin', verbGrammar('delete purge')],
  ['nats', verbGrammar('rm purge del delete')],
])

function verbOf({ name, args }: Ran): string | null {
  const grammar = programs.get(name)
  const verb = grammar === undefined ? null : harmfulVerb(args, grammar)
  return verb ?? extra(name, args)
}

/** Where an option makes the harm. */
function extra(name: string, args: readonly string[]): string | null {
  const has = (option: string): boolean => args.includes(option)
  if (name === 'aws' && has('s3') && !has('--dryrun')) {
    const from = args.slice(args.indexOf('s3') + 2).find((arg) => !arg.startsWith('-')) ?? ''
    if (!from.startsWith('s3://')) return null
    if (has('mv')) return 's3 mv'
    return has('sync') && has('--delete') ? 's3 sync --delete' : null
  }
  if (name === 'heroku' && args.some((arg) => /^ps:scale$/.test(arg)) && args.some((arg) => /^\w+=0/.test(arg)))
    return 'ps:scale …=0'
  if (/^fly(?:ctl)?$/.test(name) && has('scale') && has('count') && has('0')) return 'scale count 0'
  if (name === 'gsutil' && has('rsync') && has('-d') && !has('-n')) return 'rsync -d'
  if (/^kafka-(?:topics|consumer-groups|delete-records)/.test(name) && (has('--delete') || name.includes('delete')))
    return '--delete'
  return null
}

const localHost =
  /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal|localstack|minio)(?::\d+)?(?:\/|$)/

/** A stand-in for the cloud on this machine. */
function isLocal({ args, environment }: Ran): boolean {
  const urls = [
    ...args.flatMap((arg, index) => (args[index - 1] === '--endpoint-url' ? [arg] : [])),
    ...args.filter((arg) => arg.startsWith('--endpoint-url=')).map((arg) => arg.slice('--endpoint-url='.length)),
    ...(environment.get('AWS_ENDPOINT_URL') ?? []),
  ]
  return urls.some((url) => localHost.test(url))
}
