/** Time comes in through this, so that tests never wait. */
export interface Clock {
  /** Milliseconds since the epoch, for what people read. */
  now(): number
  /** Milliseconds from an arbitrary point that never jump, for measuring. */
  elapsed(): number
}
