import type { Rule } from '../../rule.ts'
import { says, type Sayings } from '../../targets/says.ts'

const stopping =
  /^(?:-\S+ )*(?:stop|disable|mask|kill|clean|freeze|revert|set-property|set-default|edit|daemon-reexec|cancel)\b/

const told: Sayings = {
  systemctl: stopping,
  service: /^\S+ (?:stop|force-stop|kill)\b|^--full-restart/,
  'rc-service': /^\S+ stop\b/,
  'rc-update': /^(?:del|delete)\b/,
  'update-rc.d': /\b(?:disable|remove)\b/,
  chkconfig: /\b(?:off|--del)\b/,
  initctl: /^stop\b/,
  sv: /^(?:stop|down|force-stop|exit|kill)\b/,
  launchctl: /^(?:unload|bootout|remove|stop|kill|disable|reboot)\b/,
  svcadm: /^disable\b/,
  sc: /^(?:stop|delete|config)\b/i,
  net: /^stop\b/i,
  'stop-service': /^/,
  supervisorctl: /^(?:stop all|shutdown)\b/,
  monit: /^(?:stop|quit)\b/,
}

export const services: Rule = {
  name: 'services',
  category: 'processes',
  why: 'Others rely on the services of the machine.',
  instead: 'Start what you need yourself, on a port of its own, and end it again.',
  get programs() {
    return Object.keys(told).join(' ')
  },
  forbids(command) {
    if (command.args.includes('--user')) return null
    return says(told, command) ? `would stop a service of the machine (${command.name})` : null
  },
}
