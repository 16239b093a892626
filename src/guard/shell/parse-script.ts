import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash'

/** The only place that knows the parser: it is large, and most calls need none. */
export const parseScript = (text: string): ParsedScript => parse(text)

export const eachChild = (node: SyntaxNode, look: (child: SyntaxNode) => void): void => forEachChild(node, look)
