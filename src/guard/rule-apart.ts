import type { Category } from './category.ts'
import type { Place } from './place.ts'
import type { Rule } from './rule.ts'
import type { Ran } from './shell/trace.ts'

/**
 * A rule that is in another file, which is read when there is a command of its programs: for `build-guard.mjs`. A class,
 * since V8 takes long to make many objects with getters of their own.
 */
export class RuleApart implements Rule {
  readonly name: string
  readonly category: Category
  readonly programs: string
  private readonly load: () => Rule

  constructor(name: string, category: Category, programs: string, load: () => Rule) {
    this.name = name
    this.category = category
    this.programs = programs
    this.load = load
  }

  get why(): string {
    return this.load().why
  }

  get instead(): string {
    return this.load().instead
  }

  forbids(command: Ran, place: Place): string | null {
    return this.load().forbids?.(command, place) ?? null
  }

  forbidsTogether(commands: readonly Ran[], place: Place): string | null {
    return this.load().forbidsTogether?.(commands, place) ?? null
  }
}
