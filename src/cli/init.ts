import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { shellQuote } from '../base/shell-quote.ts'
import { visibleLine } from '../base/visible.ts'
import { findLayout } from '../git/git-layout.ts'
import { readHead } from '../git/project-refs.ts'
import type { Failure } from '../model/failure.ts'
import { readSmall } from '../store/read-small.ts'
import { writeInside } from '../store/write-inside.ts'
import { branchNameFor } from '../tasks/branch-name.ts'
import { askSettings, settingsPath } from './ask-settings.ts'
import { openTerminal } from './ask.ts'
import type { Input, RunCommand } from './command.ts'
import { repositoryAbove } from './nothing-here.ts'
import { ensureRalphDirectory, openProject, type Project } from './project.ts'
import { branchOf } from './start-list.ts'
import { loopFile, today, type LoopFile, type TemplateValues } from './templates.ts'

const files: readonly LoopFile[] = ['prd.md', 'tasks.json', 'progress.txt', 'prompt.md']
/** The runner's own files, and the settings of one person. */
const ignored = ['.ralph-active', '.ralph/guardrail_*', '.ralph/settings.local.json']

/** A file to write, with its whole text. */
interface Draft {
  readonly path: string
  readonly text: string
}

/** Creates `ralph/` from the templates. What is there already stays as it is; everything is looked at before anything is written. */
export const init: RunCommand = async (input) => {
  const { options, cwd, env, output } = input
  const opened = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!opened.ok) return opened
  const { root, ralphDir } = opened.value
  const place = ensurePlace(root)
  if (!place.ok) return place
  const directory = ensureRalphDirectory(opened.value)
  if (!directory.ok) return directory
  const values = valuesFor(root, options['name'])
  if (!values.ok) return values
  const wantsSettings = options['settings'] === true
  const ask = input.ask ?? (wantsSettings ? openTerminal(output) : null)
  if (wantsSettings && ask === null) return err(nobodyToAsk)

  const plan = planFiles(root, ralphDir, values.value)
  if (!plan.ok) return plan
  const ignores = planIgnores(root)
  if (!ignores.ok) return ignores
  const { made, kept } = plan.value
  for (const { path, text } of made) {
    const written = writeInside(root, path, Buffer.from(text), { as: 'create' })
    if (!written.ok) return written
  }
  if (ignores.value !== null) {
    const written = writeInside(root, '.gitignore', Buffer.from(ignores.value))
    if (!written.ok) return written
  }
  if (made.length > 0) output.line(`Created ${made.map(({ path }) => path).join(', ')}.`)
  if (kept.length > 0) output.line(`Kept what was there: ${kept.join(', ')}.`)
  const branch = kept.includes(`${ralphDir}/tasks.json`) && values.value.branch !== null ? branchOf(opened.value) : null
  if (branch !== null && branch !== values.value.branch) {
    output.remark(`--name changed nothing: branchName in ${ralphDir}/tasks.json stays "${visibleLine(branch, 100)}".`)
  }
  if (ignores.value !== null) output.line('Added the files of the runner to .gitignore.')
  if (wantsSettings && ask !== null) {
    const asked = await askSettings(root, ask, output)
    if (!asked.ok || asked.value !== 0) return asked
  }
  output.line(nextSteps(opened.value, options))
  return ok(0)
}

const nobodyToAsk: Failure = {
  reason: 'usage',
  message: '--settings asks questions, and this is no terminal.',
  fix: `Write ${settingsPath} by hand: docs/settings.md has every key.`,
}

function valuesFor(root: string, name: unknown): Result<TemplateValues, Failure> {
  if (typeof name !== 'string') return ok({ project: basename(root), date: today(), branch: null })
  const branch = branchNameFor(name)
  if (branch !== null) return ok({ project: visibleLine(name, 100), date: today(), branch })
  return err({
    reason: 'usage',
    message: `--name "${visibleLine(name, 60)}" gives no branch name.`,
    fix: 'Give the feature a name of letters and digits, like --name user-search.',
  })
}

function planFiles(
  root: string,
  ralphDir: string,
  values: TemplateValues,
): Result<{ readonly made: readonly Draft[]; readonly kept: readonly string[] }, Failure> {
  const made: Draft[] = []
  const kept: string[] = []
  for (const file of files) {
    const path = `${ralphDir}/${file}`
    const seen = readSmall(root, path)
    if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
    if (seen.kind === 'text') {
      kept.push(path)
      continue
    }
    const text = loopFile(file, values)
    if (!text.ok) return text
    made.push({ path, text: text.value })
  }
  return ok({ made, kept })
}

/** The whole `.gitignore` as it has to be; null if it is that already. */
function planIgnores(root: string): Result<string | null, Failure> {
  const seen = readSmall(root, '.gitignore')
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path: '.gitignore', why: seen.why })
  const before = seen.kind === 'text' ? seen.text : ''
  const lines = new Set(before.split('\n').map((line) => line.trim().replace(/^\//, '')))
  const missing = ignored.filter((pattern) => !lines.has(pattern))
  if (missing.length === 0) return ok(null)
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`
  return ok(`${start}${missing.join('\n')}\n`)
}

/** Where `ralph run` could never start, nothing is made either. */
function ensurePlace(root: string): Result<void, Failure> {
  const above = repositoryAbove(root)
  if (above !== null) {
    return err({
      reason: 'not-a-repository',
      why: 'This directory is not the top of its work tree, and a loop runs only there.',
      fix: `Start in the top: --project-dir ${shellQuote(above)}; or run "git init" here for a repository of its own.`,
    })
  }
  const isBare =
    !existsSync(join(root, '.git')) && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(root, name)))
  if (!isBare) return ok(undefined)
  const why = 'This is a bare repository: it has no files to work on.'
  return err({ reason: 'not-a-repository', why, fix: 'Clone it and start in the clone.' })
}

function nextSteps({ root, ralphDir }: Project, { projectDir, ralphDir: given }: Input['options']): string {
  const layout = findLayout(root)
  const start = !existsSync(join(root, '.git'))
    ? ['git init && git add -A && git commit -m "Start"']
    : layout !== null && readHead(layout).commit === null
      ? ['git add -A && git commit -m "Start": a loop begins from a commit']
      : []
  const where = [
    ...(projectDir === undefined || projectDir === '.' ? [] : [` --project-dir ${shellQuote(String(projectDir))}`]),
    ...(given === undefined || ralphDir === 'ralph' ? [] : [` --ralph-dir ${shellQuote(ralphDir)}`]),
  ].join('')
  const steps = [
    ...start,
    `write ${ralphDir}/prd.md and ${ralphDir}/tasks.json, or have Claude Code ask you for them: /ralph-plan`,
    `ralph check${where}`,
    `ralph run${where}`,
  ]
  return ['', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')
}
