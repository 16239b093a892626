import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import { locate } from '../../zone.ts'

/** What takes data and harms nothing; the network is a matter of other rules. */
const harmless =
  /^\/dev\/(?:null(?:\/.*)?|zero|full|random|urandom|tty\w*|console|stdin|stdout|stderr|ptmx|(?:fd|pts|shm|mqueue|tcp|udp)(?:\/.*)?)$/

export const deviceWrite: Rule = {
  name: 'device-write',
  category: 'disks-and-boot',
  why: 'A write to a device destroys what is on it.',
  instead: 'Write to a file in the project; an image of a disk can be one.',
  forbidsTouch({ path, how }, place) {
    if (how === 'read') return null
    const { zone, path: plain } = locate(path, place)
    return zone !== 'device' || harmless.test(plain.toLowerCase())
      ? null
      : `would write to the device ${shownPath(plain)}`
  },
}
