import { posix } from 'node:path'
import { grammar, readOptions } from '../../options.ts'
import { inside } from '../../shell/inside.ts'
import type { Ran } from '../../shell/trace.ts'

export const fetchers: ReadonlySet<string> = new Set(
  'curl wget fetch aria2c http https xh lynx w3m ftp tftp irm iwr invoke-webrequest invoke-restmethod'.split(' '),
)

/** Whether it brings something from another machine. */
export const isFetcher = ({ name, args }: Ran): boolean =>
  fetchers.has(name) && !args.some((arg) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(arg))

const valued = grammar(
  '-o --output --output-dir -O --output-document -P --directory-prefix -H --header -A --user-agent -X --request -d --data -u --user -e --referer -b --cookie -m --max-time --retry -x --proxy -w --write-out --connect-timeout -t --tries -T --timeout --out --dir',
)
/** For curl it takes the name from the address. */
const curlValued = grammar(
  [...valued.valued].filter((name) => name !== '-O' && name !== '-P' && name !== '-t').join(' '),
)

/** The files that it writes, absolute. */
export function downloadedBy({ name, args, directories, writes }: Ran): string[] {
  const options = readOptions(args, name === 'curl' ? curlValued : valued)
  const named =
    name === 'curl' ? options.values('-o', '--output') : options.values('-O', '--output-document', '-o', '--out')
  const [into] = options.values('--output-dir', '-P', '--directory-prefix', '--dir')
  const takesName = name === 'curl' ? options.has('-O', '--remote-name', '--remote-name-all', '-J') : named.length === 0
  const remote = takesName
    ? options.operands.map(
        (url) =>
          url
            .replace(/[?#].*$/, '')
            .split('/')
            .at(-1) ?? '',
      )
    : []
  const paths = [...named, ...remote].filter((path) => path !== '' && path !== '-')
  const full = paths
    .map((path) => (into === undefined ? path : `${into}/${path}`))
    .flatMap((path) => inside(directories, path))
  return [...full, ...writes].map((path) => posix.normalize(path))
}
