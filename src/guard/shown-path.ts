import { visibleLine } from '../base/visible.ts'
import { one, star, unknown } from './shell/pattern.ts'

/** A path for people: its wildcards as they were written. */
export const shownPath = (path: string): string =>
  visibleLine(path.replaceAll(star, '*').replaceAll(one, '?').replaceAll(unknown, '…'))
