import type { Rule } from '../../rule.ts'

const services =
  /(?:^|[/@.])(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata\.azure\.(?:com|internal)|100\.100\.100\.200|\[?fd00:ec2::254\]?|0xa9fea9fe|2852039166)(?=[:/?]|$)/i
const clients = new Set('curl wget http https xh fetch nc ncat lynx links aria2c httpie'.split(' '))

export const metadataService: Rule = {
  name: 'metadata-service',
  category: 'credentials',
  why: 'It hands out the keys of the machine that this runs on.',
  instead: 'Work without it; programs of a cloud ask for their keys themselves.',
  get programs() {
    return [...clients].join(' ')
  },
  forbids({ name, args }) {
    return clients.has(name) && args.some((arg) => services.test(arg.slice(0, 500)))
      ? "would ask the cloud for this machine's credentials"
      : null
  },
}
