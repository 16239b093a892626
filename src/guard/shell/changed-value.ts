import type { ParameterOperation, Word } from 'unbash'
import { unreachable } from '../../base/unreachable.ts'
import { isWild, unknown } from './pattern.ts'

/** What `${x#a}`, `${x/a/b}`, `${x:1:2}`, `${x^^}` make of a value, where it takes no more than comparing texts. */
export function changedValue(value: string, operation: ParameterOperation, textOf: (word: Word) => string): string {
  if (value.includes(unknown)) return unknown
  switch (operation.type) {
    case 'Remove': {
      const text = textOf(operation.operand)
      if (isWild(text)) return unknown
      const isFront = operation.operator.startsWith('#')
      if (isFront) return value.startsWith(text) ? value.slice(text.length) : value
      return value.endsWith(text) ? value.slice(0, value.length - text.length) : value
    }
    case 'Replace': {
      const from = textOf(operation.pattern)
      const to = textOf(operation.replacement)
      if (from === '' || isWild(from) || isWild(to)) return unknown
      return operation.operator === '//' ? value.split(from).join(to) : replacedOnce(value, from, to)
    }
    case 'Slice': {
      const offset = Number(textOf(operation.offset))
      const length = operation.length === undefined ? value.length : Number(textOf(operation.length))
      if (!Number.isInteger(offset) || !Number.isInteger(length)) return unknown
      const start = offset < 0 ? value.length + offset : offset
      return length < 0 ? value.slice(start, length) : value.slice(start, start + length)
    }
    case 'CaseModification': {
      const isUpper = operation.operator.startsWith('^')
      const count = operation.operator.length === 2 ? value.length : 1
      const head = value.slice(0, count)
      return (isUpper ? head.toUpperCase() : head.toLowerCase()) + value.slice(count)
    }
    case 'Default':
    case 'Names':
    case 'Transform':
    case 'Unknown':
      return unknown
    default:
      return unreachable(operation)
  }
}

const replacedOnce = (value: string, from: string, to: string): string => {
  const at = value.indexOf(from)
  return at === -1 ? value : value.slice(0, at) + to + value.slice(at + from.length)
}
