import type { Quote } from './data-block.ts'
import type { PromptInput } from './prompt-input.ts'

/** What the parts of one prompt share. */
export interface PromptContext extends PromptInput {
  readonly quote: Quote
  readonly maxDocumentChars: number
  /** The completion tag as it must be printed. */
  readonly promise: string
}
