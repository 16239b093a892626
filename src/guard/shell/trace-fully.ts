import type { Place } from '../place.ts'
import { newScope } from './scope.ts'
import type { Trace } from './trace.ts'
import { Tracer } from './tracer.ts'

/** Every script, however simple. */
export function traceFully(text: string, place: Place): Trace {
  const tracer = new Tracer(place)
  tracer.script(text, newScope([place.cwd]), tracer.outermost)
  const { ran, written, read, unread } = tracer
  return { ran, written, read, unread }
}
