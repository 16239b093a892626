import { shorten } from './shorten.ts'

/** What a block holds; named in its first line. */
export type BlockKind =
  | 'story'
  | 'stories'
  | 'commands'
  | 'feedback'
  | 'review-feedback'
  | 'check-result'
  | 'surface-diff'
  | 'diff'
  | 'requirements'
  | 'paths'

export interface Quotation {
  readonly kind: BlockKind
  readonly text: string
  readonly maxChars: number
  /** What whoever made the text had already left out. */
  readonly omittedBytes?: number
}

/** A quotation with its nonce: the only way in which text that is not the runner's gets into a prompt. */
export type Quote = (quotation: Quotation) => string

const noncePattern = /^[0-9a-f]{32,}$/

/**
 * Quotes with this nonce. Whoever wrote the text cannot know it; text that contains it all the same loses it, so a line
 * with it is always ours. What is missing is told outside of the block, where nobody but the runner speaks.
 */
export function quoteWith(nonce: string): Quote {
  if (!noncePattern.test(nonce)) throw new Error('a nonce is at least 128 bits in hexadecimal')
  const forged = new RegExp(nonce, 'gi')
  return ({ kind, text, maxChars, omittedBytes = 0 }) => {
    const { text: shown, omittedChars } = shorten(text, maxChars)
    const missing = [
      ...(omittedBytes > 0 ? [`${omittedBytes} bytes`] : []),
      ...(omittedChars > 0 ? [`${omittedChars} characters`] : []),
    ]
    return [
      ...(missing.length > 0
        ? [`(The runner left out ${missing.join(', and then ')} in the middle of this block.)`]
        : []),
      `<<DATA ${nonce} kind=${kind}>>`,
      shown.replaceAll(forged, '(mark removed)'),
      `<<END ${nonce}>>`,
    ].join('\n')
  }
}
