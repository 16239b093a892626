import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'
import { bytesOf, isHuge } from '../../targets/size.ts'

const endless = /^\/dev\/(?:zero|urandom|random|full)$/

export const fillDisk: Rule = {
  name: 'fill-disk',
  category: 'resource-exhaustion',
  why: 'A full disk stops every program of the machine, this loop too.',
  instead: 'Make files as small as the test allows, and say how much: `head -c 1M /dev/zero > FILE`.',
  programs: 'yes cat tail sort tac tee dd fallocate mkfile truncate head',
  forbids({ name, args, writes, input }) {
    const isKept = writes.some((path) => !path.startsWith('/dev/'))
    if (name === 'yes') return writes.length > 0 ? 'would write without end' : null
    if (name === 'cat' && operandsOf(args).some((path) => endless.test(path)))
      return isKept ? 'would write without end' : null
    if (
      (name === 'tail' || name === 'sort' || name === 'tac') &&
      operandsOf(args, '-n -c -k').some((path) => endless.test(path))
    )
      return 'would read without end into memory'
    if (isKept && input.commands.some(isSource) && ![...input.commands, { name }].some(ends) && name !== 'dd')
      return 'would write without end'
    if (name === 'tee' && input.commands.some((before) => before.name === 'yes') && !input.commands.some(ends))
      return 'would write without end'
    if (name === 'dd') return copied(args)
    if (name === 'fallocate')
      return isHuge(bytesOf(valuesOf(args, '-l', '--length')[0] ?? '')) ? 'would fill the disk' : null
    if (name === 'mkfile') return operandsOf(args).some((arg) => isHuge(bytesOf(arg))) ? 'would fill the disk' : null
    if (name === 'truncate') {
      const size = bytesOf((valuesOf(args, '-s', '--size')[0] ?? '').replace(/^[+<>/%]/, ''))
      return size !== null && size >= 1024 ** 4 ? 'would make a file larger than any disk' : null
    }
    if (name === 'head' || name === 'tail') {
      return isKept && isHuge(bytesOf(valuesOf(args, '-c', '--bytes')[0] ?? '')) ? 'would fill the disk' : null
    }
    return null
  },
}

const isSource = ({ name, args }: Ran): boolean =>
  name === 'yes' || (name === 'cat' && operandsOf(args).some((path) => endless.test(path)))

const ends = ({ name }: { readonly name: string }): boolean => name === 'head' || name === 'timeout' || name === 'sed'

function copied(args: readonly string[]): string | null {
  const given = (key: string): string | undefined =>
    args.findLast((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1)
  const target = given('of')
  if (target === undefined || target === '/dev/null' || !endless.test(given('if') ?? '')) return null
  const count = given('count')
  const size = given('bs') ?? given('ibs')
  if (count === undefined) return size === undefined && given('if') !== '/dev/zero' ? null : 'would write without end'
  return isHuge((bytesOf(count) ?? 0) * (bytesOf(size ?? '512') ?? 512)) ? 'would fill the disk' : null
}
