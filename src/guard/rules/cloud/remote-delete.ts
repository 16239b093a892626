import { grammar, readOptions } from '../../options.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'

export const remoteDelete: Rule = {
  name: 'remote-delete',
  category: 'cloud',
  why: 'It asks a server that is not this machine to remove something.',
  instead: 'Try it against a server of your own on localhost, and leave this one to people.',
  get programs() {
    return ['curl', 'curlie', 'wget', ...httpClients].join(' ')
  },
  forbids(command) {
    if (!isDelete(command)) return null
    const urls = command.args.filter((arg) => /^(?:https?:\/\/|[\w.-]+\.[a-z]{2,}(?:[:/]|$))/i.test(arg))
    const url = urls.find((url) => !ownHost.test(url))
    return url === undefined ? null : 'would remove something from a server by an HTTP request'
  },
}

const valued = grammar(
  '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode --json -o --output -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer -F --form -T --upload-file -w --write-out -m --max-time --connect-timeout --retry --cacert --cert --key -x --proxy --url --resolve --method --body-data',
)

function isDelete({ name, args }: Ran): boolean {
  if (name === 'curl' || name === 'curlie' || name === 'wget') {
    return readOptions(args, valued)
      .values('-X', '--request', '--method')
      .some((method) => method.toUpperCase() === 'DELETE')
  }
  return httpClients.has(name) && args.some((arg) => arg === 'DELETE' || arg === 'delete')
}

const httpClients = new Set(['http', 'https', 'xh', 'xhs', 'httpie'])

/** This machine, and names that only a network of its own containers knows. */
const ownHost =
  /^(?:https?:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[a-z0-9-]+|[\w.-]+\.(?:localhost|test|example))(?::\d+)?(?:[/?#]|$)/i
