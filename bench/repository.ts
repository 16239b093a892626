import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReferee } from '../src/git/open-referee.ts'
import type { Referee } from '../src/git/referee.ts'
import { findProgram } from '../src/process/find-program.ts'
import { atMost, interleave, type Row } from './measure.ts'

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.org',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.org',
}

/** The referee's look at a project beside plain git doing the same without a referee. */
export async function repository(): Promise<Row[]> {
  return [...(await measure(1000, 15)), ...(await measure(50_000, 7))]
}

async function measure(files: number, rounds: number): Promise<Row[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-')))
  try {
    const bench = new Bench(root)
    bench.fill(files)
    const copies = await interleave(2, {
      plain: () => bench.git(root, 'clone', '-q', '--bare', '--no-local', bench.project, bench.fresh('clone')),
      ours: () => bench.open(bench.fresh('state')),
    })

    const referee = await bench.open(bench.fresh('state'))
    let base = await bench.look(referee, null)
    bench.git(root, 'clone', '-q', '--bare', '--no-local', bench.project, `${root}/floor.git`)
    let commits = 0
    const times = await interleave(rounds, {
      plainStatus: () => bench.git(bench.project, 'status', '--porcelain'),
      unchanged: () => bench.look(referee, base),
      // Not measured: an agent's commit of one file.
      setup: () => {
        writeFileSync(join(bench.project, 'changed.txt'), `${commits++}\n`)
        bench.git(bench.project, 'add', 'changed.txt')
        bench.git(bench.project, 'commit', '-q', '-m', 'change')
      },
      plainFetch: () =>
        bench.git(`${root}/floor.git`, 'fetch', '-q', `file://${bench.project}`, `+HEAD:refs/ralph/${commits}`),
      committed: async () => {
        base = await bench.look(referee, base)
      },
    })
    const size = `${files.toLocaleString('en')} files`
    return [
      atMost(`${size}: look, nothing committed (floor: git status)`, times.unchanged, times.plainStatus, 2),
      atMost(
        `${size}: look after a commit (floor: git status + git fetch)`,
        times.committed,
        times.plainStatus + times.plainFetch,
        // Small projects pay for the processes, large ones only for the files.
        files <= 1000 ? 2.5 : 2,
      ),
      atMost(`${size}: first copy (floor: git clone --bare --no-local)`, copies.ours, copies.plain, 2),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

class Bench {
  readonly #root: string
  readonly #git: string
  readonly project: string
  #count = 0

  constructor(root: string) {
    this.#root = root
    this.project = join(root, 'project')
    const git = findProgram('git', { path: environment.PATH, forbiddenRoot: root })
    if (!git.ok) throw new Error('no git')
    this.#git = git.value
  }

  git(cwd: string, ...args: string[]): void {
    execFileSync(this.#git, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
  }

  fresh(name: string): string {
    return join(this.#root, `${name}-${this.#count++}`)
  }

  /** 50 small files in each directory, all committed. */
  fill(files: number): void {
    for (let index = 0; index < files; index++) {
      const directory = join(this.project, `d${Math.floor(index / 50)}`)
      if (index % 50 === 0) mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, `f${index}.txt`), `file ${index}\n`.repeat(5))
    }
    this.git(this.project, 'init', '-q', '-b', 'main')
    this.git(this.project, 'add', '.')
    this.git(this.project, 'commit', '-q', '-m', 'start')
  }

  async open(stateDir: string): Promise<Referee> {
    const opened = await openReferee({
      project: this.project,
      stateDir,
      git: this.#git,
      runId: '20260101-120000-0a1b2c3d',
      environment,
      ignore: ['.ralph-active'],
    })
    if (!opened.ok) throw new Error(JSON.stringify(opened.error))
    return opened.value
  }

  async look(referee: Referee, base: Base | null): Promise<Base> {
    const view = await referee.observe({ iteration: 1, base })
    if (!view.ok) throw new Error(JSON.stringify(view.error))
    return { commit: view.value.head ?? '', tree: view.value.tree }
  }
}

interface Base {
  readonly commit: string
  readonly tree: string
}
