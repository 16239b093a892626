import { fineSymbols, type Mark } from '../terminal/symbols.ts'
import { textWidth } from '../terminal/text-width.ts'
import type { AgentFinding, BoxFinding, Finding } from './finding.ts'
import type { Verdict } from './verdict.ts'

/** Who works in each mode, by name. */
export interface Workers {
  readonly implement: string
  /** null: nothing is reviewed. */
  readonly review: string | null
  readonly reviewFix: string
}

export interface Diagnosis {
  readonly findings: readonly Finding[]
  readonly agents: readonly AgentFinding[]
  /** The strongest first. */
  readonly boxes: readonly BoxFinding[]
  readonly verdict: Verdict
  readonly workers: Workers
}

/** For people: a table of what is there, then whether a run can work here and what would help. */
export function describeFindings({ findings, agents, boxes, verdict, workers }: Diagnosis): string[] {
  const all = [...findings, ...agents, ...boxes]
  const widths = {
    name: Math.max(...all.map(({ name }) => textWidth(name))),
    version: Math.max(...all.map((finding) => textWidth(versionWords(finding)))),
  }
  const section = (title: string, rows: readonly Finding[]): string[] => [
    title,
    ...rows.map((row) => rowOf(row, widths)),
    '',
  ]
  return [
    ...section(
      'Needed',
      findings.filter(({ kind }) => kind === 'needed'),
    ),
    ...section('Agents', agents),
    ...section('Boxes', boxes),
    ...section(
      'Useful',
      findings.filter(({ kind }) => kind === 'useful'),
    ),
    ...verdictLines(verdict, workers),
  ]
}

function rowOf(finding: Finding | AgentFinding, widths: { readonly name: number; readonly version: number }): string {
  const version = versionWords(finding)
  const cells = [
    fineSymbols.marks[markOf(finding)],
    finding.name + ' '.repeat(widths.name - textWidth(finding.name)),
    version + ' '.repeat(widths.version - textWidth(version)),
    detailsOf(finding).join(` ${fineSymbols.dot} `),
  ]
  return `  ${cells.join('  ')}`.trimEnd()
}

const isChosen = (finding: Finding): boolean => 'chosen' in finding && finding.chosen === true

/** What nobody has asked for and is not there is no trouble. */
function markOf(finding: Finding): Mark {
  if (finding.state === 'ok') return 'ok'
  if (finding.state === 'unknown') return finding.why === null ? 'ok' : 'attention'
  if (finding.kind === 'needed' || isChosen(finding)) return 'fail'
  return finding.state === 'missing' ? 'open' : 'attention'
}

function versionWords({ kind, state, version, path, name }: Finding): string {
  if (version !== null) return version
  if (kind === 'box') return ''
  if (state === 'missing') return kind === 'useful' && name === 'processes' ? 'partly' : 'not found'
  return path === null || kind === 'useful' ? '' : 'there'
}

function detailsOf(finding: Finding | AgentFinding): string[] {
  const { kind, state, path, why, fix, login, version } = finding
  const isThere = state !== 'missing'
  return [
    ...(isChosen(finding) ? ['used by "ralph run"'] : []),
    ...('experimental' in finding && finding.experimental ? ['experimental'] : []),
    ...(isThere && login !== null ? [login === 'seen' ? 'logged in' : 'no login seen'] : []),
    ...(kind === 'needed' && version === null && path !== null ? [path] : []),
    // Why a run would not start it is a long sentence; what to do says enough here.
    ...(why === null || state === 'refused' ? [] : [why]),
    ...(fix === null ? [] : [fix]),
  ]
}

function verdictLines({ canRun, problems, instead, withoutLogin }: Verdict, workers: Workers): string[] {
  if (canRun) {
    const names = withoutLogin.join(' and ')
    return [
      `"ralph run" can work here, with ${workerWords(workers)}.`,
      ...(withoutLogin.length === 0 ? [] : [`Nothing here shows a login of ${names}: if a run says so, log in first.`]),
    ]
  }
  const [first] = instead
  return [
    '"ralph run" cannot work here:',
    ...problems.flatMap(({ what, fix }) => [
      ...what.split('\n').map((line, at) => (at === 0 ? `  ${fineSymbols.marks.item} ${line}` : `    ${line}`)),
      ...(fix === '' ? [] : [`    ${fix}`]),
    ]),
    ...(first === undefined ? [] : [`With another agent it can: ralph run --agent ${first}`]),
  ]
}

function workerWords({ implement, review, reviewFix }: Workers): string {
  const authors = implement === reviewFix ? implement : `${implement} and ${reviewFix}`
  if (review === null) return `${authors}, without review`
  return review === authors ? authors : `${authors}; ${review} reviews`
}
