import type { AndOr, CommandNode, CompoundList, Function as FunctionNode, PipelineNode, While } from 'unbash'
import { unreachable } from '../../base/unreachable.ts'
import { unknown } from './pattern.ts'
import { innerOf, type Scope } from './scope.ts'
import { joinInput, traceCommand, traceRedirections, withProcesses } from './trace-command.ts'
import type { Around, Printed, Tracer } from './tracer.ts'

const maxPrinted = 16

export type Node = CommandNode | PipelineNode | AndOr | CompoundList

/** Follows one node of the parsed script. */
export function traceNode(tracer: Tracer, node: Node, scope: Scope, around: Around): Printed {
  switch (node.type) {
    case 'Command':
      return traceCommand(tracer, node, scope, around)
    case 'CompoundList':
      return tracer.statements(node.commands, scope, around)
    case 'AndOr': {
      let printed: Printed = ['']
      for (const [index, command] of node.commands.entries()) {
        const joint = node.operators[index] ?? around.joint
        printed = oneAfter(
          printed,
          tracer.perhaps(index > 0, () => tracer.node(command, scope, { ...around, joint })),
        )
      }
      return printed
    }
    case 'Pipeline':
      return tracePipeline(tracer, node.commands, scope, around)
    case 'Redirected': {
      const frame = tracer.openFrame()
      const { writes, input } = traceRedirections(tracer, node.redirects, scope)
      tracer.frames.pop()
      for (const path of writes) tracer.written.push(path)
      return tracer.node(node.command, scope, {
        ...around,
        input: withProcesses(joinInput(input, around.input), frame),
      })
    }
    case 'Subshell':
      return tracer.statements(node.body.commands, innerOf(scope), around)
    case 'BraceGroup':
      return tracer.statements(node.body.commands, scope, around)
    case 'If':
      tracer.statements(node.clause.commands, scope, around)
      return tracer.perhaps(true, () => {
        tracer.statements(node.then.commands, scope, around)
        for (const { clause, then } of node.elif) {
          tracer.statements(clause.commands, scope, around)
          tracer.statements(then.commands, scope, around)
        }
        if (node.else !== undefined) tracer.statements(node.else.commands, scope, around)
        return []
      })
    case 'For':
    case 'Select': {
      const values = node.wordlist?.flatMap((word) => tracer.words(word, scope).flat()) ?? scope.parameters ?? [unknown]
      tracer.remember(scope, node.name.value, values)
      return traceLoop(tracer, node.body, scope, around)
    }
    case 'While': {
      const isEndless = around.isEndless || isAlways(node)
      tracer.statements(node.clause.commands, scope, around)
      // What is put behind as a whole starts each of its commands only once.
      const isBackground = around.isBackground && !isEndless
      return traceLoop(tracer, node.body, scope, { ...around, isEndless, isBackground })
    }
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) tracer.look(part, scope)
      return traceLoop(
        tracer,
        node.body,
        scope,
        node.test === undefined ? { ...around, isEndless: true, isBackground: false } : around,
      )
    case 'Case':
      tracer.texts(node.word, scope)
      return tracer.perhaps(true, () => {
        for (const { pattern, body } of node.items) {
          for (const word of pattern) tracer.look(word, scope)
          tracer.statements(body.commands, scope, around)
        }
        return []
      })
    case 'Function':
      return define(tracer, node, scope, around)
    case 'Coproc':
      return tracer.node(node.body, innerOf(scope), around)
    case 'TestCommand':
    case 'ArithmeticCommand':
      tracer.look(node, scope)
      return ['']
    default:
      return unreachable(node)
  }
}

/** Twice where it changes something: the second time around it begins with that. */
function traceLoop(tracer: Tracer, body: CompoundList, scope: Scope, around: Around): Printed {
  const before = tracer.changes
  tracer.loops++
  tracer.perhaps(true, () => {
    tracer.statements(body.commands, scope, around)
    if (tracer.changes > before && tracer.loops === 1) tracer.statements(body.commands, scope, around)
    return []
  })
  tracer.loops--
  return []
}

function define(tracer: Tracer, { name, body }: FunctionNode, scope: Scope, around: Around): Printed {
  scope.functions.set(name.value, body)
  const inner = innerOf(scope)
  inner.parameters = null
  tracer.perhaps(true, () => tracer.node(body, inner, { ...around, through: [...around.through, `${name.value}()`] }))
  return ['']
}

function tracePipeline(tracer: Tracer, commands: readonly CommandNode[], scope: Scope, around: Around): Printed {
  let { input } = around
  let printed: Printed = []
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1
    const first = tracer.ran.length
    printed = tracer.node(command, isLast ? scope : innerOf(scope), {
      ...around,
      input,
      joint: isLast ? around.joint : ';',
      isPiped: around.isPiped || !isLast,
    })
    const before = index === 0 ? [] : input.commands
    input = { commands: [...tracer.ran.slice(first).toReversed(), ...before].slice(0, 1000), texts: printed, files: [] }
  }
  return printed
}

function isAlways({ kind, clause }: While): boolean {
  const [only, ...others] = clause.commands
  if (only?.command.type !== 'Command' || others.length > 0) return false
  const name = only.command.name?.value ?? ''
  return kind === 'while' ? name === 'true' || name === ':' : name === 'false'
}

/** One after the other. */
export function oneAfter(first: Printed, second: Printed): Printed {
  if (first.length === 1 && first[0] === '') return second
  if (first.length === 0 || second.length === 0 || first.length * second.length > maxPrinted) return []
  return first.flatMap((text) => second.map((next) => text + next))
}
