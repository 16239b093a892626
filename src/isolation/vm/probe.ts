import { err, ok, type Result } from '../../base/result.ts'
import { visibleLine } from '../../base/visible.ts'
import { findProgram } from '../../process/find-program.ts'
import type { Site, Unavailable } from '../isolation.ts'
import { lastWords, vmClient, type ClientAnswer, type VmClient } from './client.ts'
import type { VmCli } from './vm-cli.ts'

const questionMs = 10_000

/** Whether the program is there, answers, and could make a box. Nothing is made. */
export async function probeVm(cli: VmCli, site: Site): Promise<Result<VmClient, Unavailable>> {
  const program = findProgram(cli.program, site.places)
  if (!program.ok) {
    const isRefused = program.error.fix.includes('inside the project')
    return err(
      isRefused ? { why: `${cli.program} was found only in the project.`, fix: program.error.fix } : cli.whenMissing,
    )
  }
  const client = vmClient(cli, program.value, site)
  const boxes = await client.list()
  if (!boxes.ok) return err((await isMissing(client)) ? cli.whenMissing : whyNoList(cli, boxes.error))
  if (cli.policyQuestion === null) return ok(client)
  const policy = await client.call(cli.policyQuestion, { timeoutMs: questionMs })
  if (policy.timedOut || /not (?:been )?initiali[sz]ed|policy init/i.test(policy.stdout + policy.stderr)) {
    return err(cli.whenPolicyMissing)
  }
  return policy.exitCode === 0 ? ok(client) : err(whyNoList(cli, policy))
}

/** By docker's own words about a plugin that it has not. A call with options it refuses for the options. */
export async function isMissing(client: VmClient): Promise<boolean> {
  const { exitCode, stderr } = await client.call(['version'], { timeoutMs: questionMs })
  return exitCode !== 0 && /unknown command|is not a docker command/.test(stderr)
}

function whyNoList(cli: VmCli, answer: ClientAnswer): Unavailable {
  const said = answer.stdout + answer.stderr
  if (/not authenticated|not (?:logged|signed) in|unauthori[sz]ed|sign in|log in/i.test(said)) return cli.whenSignedOut
  if (/cannot connect|is the docker daemon running|connection refused/i.test(said)) {
    return { why: `${cli.typed}: ${visibleLine(lastWords(answer), 200)}.`, fix: 'Start it, then try again.' }
  }
  return {
    why: `"${cli.typed} ls --json" does not give a list: ${visibleLine(lastWords(answer), 200)}.`,
    fix: `Run it yourself and see what it says.`,
  }
}
