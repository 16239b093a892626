import { hostOf, isNear } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'

const bucket =
  /^(?:s3|gs|az|b2|r2|oss|cos|wasbs?|abfss?):\/\/|^https:\/\/[^/]*\.(?:blob\.core\.windows\.net|s3[^/]*amazonaws\.com)/i
const remote = /^(?:[\w-]{2,}:)/

const copying = new Set(['cp', 'sync', 'mv', 'put', 'rsync', 'copy', 'move', 'copyto', 'moveto', 'upload'])

export const toBucket: Rule = {
  name: 'to-bucket',
  category: 'exfiltration',
  why: 'What is in a bucket is out of the hands of whoever made it.',
  instead: 'Leave the result in the project; people, or a pipeline of theirs, bring it where it belongs.',
  programs: 'aws gsutil s3cmd s5cmd gcloud az azcopy rclone mc',
  forbids({ name, args }) {
    if (isHelp(args) || args.some((arg) => /^--dry-?run$|^--dryrun$/.test(arg))) return null
    const words = operandsOf(
      args,
      '--profile --region --endpoint-url --exclude --include --acl --config --project -f --file -n --name -c',
    )
    const endpoint = valuesOf(args, '--endpoint-url', '--endpoint').at(0)
    if (endpoint !== undefined && isNear(hostOf(endpoint))) return null
    const what = 'would copy files into a bucket'
    switch (name) {
      case 'aws':
      case 'awslocal':
        if (name === 'awslocal') return null
        if (words[0] === 's3' && copying.has(words[1] ?? ''))
          return bucket.test(words[3] ?? '') && !bucket.test(words[2] ?? '') ? what : null
        return words[0] === 's3api' && words[1] === 'put-object' ? what : null
      case 'gsutil':
      case 's3cmd':
      case 's5cmd':
        return words.some((word) => copying.has(word)) &&
          bucket.test(words.at(-1) ?? '') &&
          words.slice(1, -1).some((word) => !copying.has(word) && !bucket.test(word))
          ? what
          : null
      case 'gcloud':
        return words[0] === 'storage' &&
          copying.has(words[1] ?? '') &&
          bucket.test(words.at(-1) ?? '') &&
          !bucket.test(words[2] ?? '')
          ? what
          : null
      case 'az':
        return words[0] === 'storage' && words.some((word) => /^upload(?:-batch)?$/.test(word)) ? what : null
      case 'azcopy':
        return copying.has(words[0] ?? '') && bucket.test(words[2] ?? '') && !bucket.test(words[1] ?? '') ? what : null
      case 'rclone':
        return copying.has(words[0] ?? '') && remote.test(words[2] ?? '') && !remote.test(words[1] ?? '') ? what : null
      case 'mc':
        return copying.has(words[0] ?? '') && /^[./]/.test(words[1] ?? '') ? what : null
      default:
        return null
    }
  },
}
