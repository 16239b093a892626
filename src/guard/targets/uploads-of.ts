import type { Ran } from '../shell/trace.ts'
import { operandsOf, valuesOf } from './operands.ts'

/** Something that is sent to another machine. */
export interface Upload {
  /** The file that is sent; null: what comes on stdin. */
  readonly file: string | null
  /** Where it goes, as it is written. */
  readonly to: string
}

/** What `curl`, `wget` and their kind would send, and where. */
export function uploadsOf({ name, args }: Ran): Upload[] {
  if (name === 'curl') return sentByCurl(args)
  if (name === 'wget' || name === 'wget2') return sentBy(args, valuesOf(args, '--post-file', '--body-file'))
  if (name === 'http' || name === 'https' || name === 'xh' || name === 'xhs') {
    return sentBy(
      args,
      args.flatMap((arg) => /^[^=@:\s]+:?=?@(.+)$/.exec(arg)?.slice(1) ?? []),
    )
  }
  return []
}

const dataOptions = ['-d', '--data', '--data-ascii', '--data-binary', '--data-urlencode', '--json', '--url-query']
const formOptions = ['-F', '--form']
const fileOptions = ['-T', '--upload-file']

/** Options of curl whose value is no address. */
export const curlValued =
  '-A -b -c -C -d -D -e -E -F -h -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-ascii --data-binary ' +
  '--data-raw --data-urlencode --json --form --form-string --header --output --request --user --user-agent --referer ' +
  '--cookie --cookie-jar --max-time --connect-timeout --retry --retry-delay --retry-max-time --cacert --capath --cert ' +
  '--key --resolve --proxy --write-out --upload-file --range --config --limit-rate --interface --dump-header --stderr ' +
  '--connect-to --url-query --output-dir --oauth2-bearer --aws-sigv4 --unix-socket --max-redirs --ciphers --quote --netrc-file'

function sentByCurl(args: readonly string[]): Upload[] {
  const data = valuesOf(args, ...dataOptions).flatMap((value) => /^(?:[^@=]*)@(.+)$/s.exec(value)?.slice(1) ?? [])
  const forms = valuesOf(args, ...formOptions).flatMap((value) => /=[@<]"?([^;"]+)/.exec(value)?.slice(1) ?? [])
  return sentBy(args, [...data, ...forms, ...valuesOf(args, ...fileOptions)])
}

function sentBy(args: readonly string[], files: readonly string[]): Upload[] {
  if (files.length === 0) return []
  const to = [...valuesOf(args, '--url'), ...operandsOf(args, curlValued)]
  return files.flatMap((file) =>
    (to.length === 0 ? [''] : to).map((address) => ({ file: file === '-' || file === '.' ? null : file, to: address })),
  )
}
