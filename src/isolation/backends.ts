import { dockerSandbox } from './docker-sandbox.ts'
import type { Backend } from './isolation.ts'
import { none } from './none.ts'
import { os } from './os.ts'
import { sbx } from './sbx.ts'

/** Every kind of box, the strongest first. */
export const backends: readonly Backend[] = [sbx, dockerSandbox, os, none]
