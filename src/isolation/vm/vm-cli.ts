import type { Unavailable } from '../isolation.ts'

/** What two command lines for the same kind of virtual machine differ in. Everything else they have in common. */
export interface VmCli {
  readonly name: 'sbx' | 'docker-sandbox'
  /** The program on PATH. */
  readonly program: string
  /** What stands before every subcommand. */
  readonly words: readonly string[]
  /** How a person types it. */
  readonly typed: string
  /** The agents that it has a template for, under our names for them; all others get `shell`. */
  readonly templates: readonly string[]
  /** Whether the project is copied to and fro: the box then does not see what the host overwrites until it starts anew. */
  readonly copiesFiles: boolean
  /** Whether an agent's login is kept in a directory of ours; else the program has secrets of its own for that. */
  readonly keepsLogin: boolean
  remove(name: string): readonly string[]
  /** Starts a box that was stopped, where `exec` does not; null if it always does. */
  start(name: string): readonly string[] | null
  /** Asked in a probe; one that needs an answer from a person hangs. null: there is nothing to ask. */
  readonly policyQuestion: readonly string[] | null
  /** The rules by which a box reaches these hosts and no other (null: any); null if there is nothing to allow. */
  network(name: string, hosts: readonly string[] | null): readonly string[] | null
  /** Asks whether a box could reach a host that nobody has allowed; null if the rules themselves say that it cannot. */
  strayHostQuestion(name: string, host: string): readonly string[] | null
  readonly whenMissing: Unavailable
  readonly whenSignedOut: Unavailable
  readonly whenPolicyMissing: Unavailable
}
