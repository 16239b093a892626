import type { Probe } from './probe.ts'
import { probeNode } from './probe-node.ts'
import { probeShell } from './probe-shell.ts'
import { probeState } from './probe-state.ts'
import { probeTool } from './probe-tool.ts'
import { tools } from './tools.ts'

/** Everything that is looked at beside the agents, in the order in which it is shown. */
export const probes: readonly Probe[] = [probeNode, ...tools.map((tool) => probeTool(tool)), probeShell, probeState]
