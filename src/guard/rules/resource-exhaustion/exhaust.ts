import { hostOf, isNear } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import type { Ran } from '../../shell/trace.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'

const loading = new Set(
  'stress stress-ng memtester burnp6 cpuburn slowloris slowhttptest hping hping3 mdk3 mdk4 t50 goldeneye hulk loic siege-bomb forkbomb'.split(
    ' ',
  ),
)
const benchmarks = new Set('ab wrk wrk2 siege hey bombardier vegeta k6 autocannon boom masscan'.split(' '))
const interpreters = /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|node|lua[\d.]*)$/

/** A process that makes itself again and again. */
const forking =
  /\bfork\s{0,9}(?:\(\s{0,9}\))?\s{0,9}(?:while|until)\b|(?:while|until|loop|for)\b[^\n;]{0,40}[\s:({;]{1,9}(?:os\.|Process\.|pcntl_)?fork\b|os\.fork\(\)\s{0,9}for\b|spawn\(process\.(?:argv|execPath)/

export const exhaust: Rule = {
  name: 'exhaust',
  category: 'resource-exhaustion',
  why: 'It takes all that the machine, or a server, has, and nothing else can go on.',
  instead: 'Keep loops and loads small, with an end, and against a server on this machine.',
  forbids(command) {
    const { name, args, isEndless, isBackground, input } = command
    if (isHelp(args)) return null
    if (loading.has(name)) return `would load the machine (${name})`
    if (callsItself(command)) return 'would start processes without end'
    if (isEndless && isBackground) return 'would start processes without end'
    if (isEndless && name === ':') return 'would turn in circles without end'
    if (name === 'ping' && hasOption(args, 'f')) return 'would flood a network'
    if (benchmarks.has(name)) {
      const far = operandsOf(args, '-n -c -t -d -r -z -q -m -H -T -p -s -k').find(
        (word) => /^https?:\/\//.test(word) && !isNear(hostOf(word)),
      )
      return far === undefined ? null : "would load somebody else's server"
    }
    if (!interpreters.test(name)) return null
    return forking.test([...args, ...input.texts].join('\n').slice(0, 20_000))
      ? 'would start processes without end'
      : null
  },
}

/** A function that calls itself twice, or without waiting for it. */
const callsItself = ({ word, through, isBackground, isPiped, input }: Ran): boolean =>
  through.includes(`${word.replace(/^\{/, '')}()`) &&
  (isBackground || isPiped || input.commands.some((before) => before.word === word))
