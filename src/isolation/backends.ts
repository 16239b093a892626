import type { Backend } from './isolation.ts'
import { none } from './none.ts'

/** Every kind of box, the strongest first. */
export const backends: readonly Backend[] = [none]
