import type { Backend } from './isolation.ts'
import { none } from './none.ts'
import { os } from './os.ts'

/** Every kind of box, the strongest first. */
export const backends: readonly Backend[] = [os, none]
