import { FakeSandbox, type Face } from './fake-sandbox.ts'
import { HeldProject } from './held-project.ts'
import type { LoopSetup } from './loop-project.ts'

/** A project whose agents run in a fake sandbox: there the runner's state and the user's home are out of sight. */
export class VmProject extends HeldProject {
  readonly fake: FakeSandbox

  constructor(face: Face, setup: LoopSetup = {}) {
    // Nothing of the user's environment is in a sandbox, unless it is named.
    const settings = JSON.stringify({ env: { pass: ['ACTOR_*', 'LAB'] } })
    super({ ...setup, files: { '.ralph/settings.json': settings, ...setup.files } })
    const inside = `${this.bin}:${process.env['PATH'] ?? ''}`
    this.fake = new FakeSandbox(face, { hide: [this.state, this.home], path: inside })
    Object.assign(this.env, this.fake.env, { RALPH_ISOLATION: face })
  }

  override remove(): void {
    this.fake.end()
    super.remove()
  }
}
