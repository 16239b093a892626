import { grammar, readOptions } from '../../options.ts'
import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { isThrowaway } from './harmful-sql.ts'

export const stores: Rule = {
  name: 'stores',
  category: 'databases',
  why: 'It empties a store that others may use, and nothing here can bring it back.',
  instead: 'Remove single keys or documents that you made yourself, or start a store of your own for tests.',
  programs: 'redis-cli valkey-cli keydb-cli dragonfly-cli iredis mongosh mongo nc ncat telnet',
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const what = redis(program) ?? mongo(program) ?? memcached(program)
      if (what !== null) return `would ${what}`
    }
    return null
  },
}

const redisValued = grammar('-h -p -s -a -u -n -r -i -t --user --pass -D -d --rdb --eval --cacert --cert --key')
const redisHarm =
  /^(?:FLUSHALL|FLUSHDB|SHUTDOWN|CONFIG (?:SET|REWRITE)|DEBUG|SCRIPT FLUSH|FUNCTION FLUSH|CLUSTER RESET|MODULE LOAD|REPLICAOF|SLAVEOF|ACL SETUSER|SWAPDB)(?: |$)|^EVAL(?:SHA)? .*flush(?:all|db)/i

function redis({ name, args, input, through }: Ran): string | null {
  if (!/^(?:redis-cli|valkey-cli|keydb-cli|dragonfly-cli|iredis)$/.test(name)) return null
  const { operands } = readOptions(args, redisValued)
  const lines = [operands.join(' '), ...linesOf(input)]
  const line = lines.find((line) => redisHarm.test(line.trim()))
  if (line !== undefined) return `empty or change a store (${line.trim().split(' ')[0]?.toUpperCase()})`
  const isMass =
    through.includes('xargs') && input.commands.some(({ args }) => args.some((arg) => /^(?:keys|--scan)$/i.test(arg)))
  return isMass && /^(?:del|unlink)$/i.test(operands[0] ?? '') ? 'remove every key that was found' : null
}

const linesOf = ({ texts }: Ran['input']): string[] => texts.flatMap((text) => text.split('\n'))

const mongoHarm =
  /\.dropDatabase\(|\.drop\(\)|\.dropCollection\(|\.(?:deleteMany|remove)\(\{\}[,)]|\.(?:deleteMany|remove)\(\)|\.shutdownServer\(|\.dropAllUsers\(|\.dropUser\(/

function mongo({ name, args, input }: Ran): string | null {
  if (name !== 'mongosh' && name !== 'mongo') return null
  const options = readOptions(
    args,
    grammar('--eval --host --port -u --username -p --password --authenticationDatabase -f --file'),
  )
  if (options.operands.some(isThrowaway)) return null
  const texts = [...options.values('--eval'), ...linesOf(input)]
  return texts.some((text) => mongoHarm.test(text.replaceAll(/\s+/g, '')))
    ? 'remove all data of a collection or database'
    : null
}

/** It listens to anybody, so plain netcat is its client. */
function memcached({ name, input }: Ran): string | null {
  if (name !== 'nc' && name !== 'ncat' && name !== 'telnet') return null
  return linesOf(input).some((line) => /^flush_all\b/.test(line.trim())) ? 'empty a store (flush_all)' : null
}
