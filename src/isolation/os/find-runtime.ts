import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, parseJson } from '../../base/json.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { findProgram, leadsInto, type SearchPlaces } from '../../process/find-program.ts'
import { runProgram } from '../../process/run-program.ts'
import type { Site, Unavailable } from '../isolation.ts'
import type { InnerTools } from './inner-command.ts'

/** sandbox-runtime on this machine, with everything that it needs. */
export interface Runtime {
  /** The directory of its package. */
  readonly root: string
  /** What is imported. */
  readonly module: string
  readonly version: string
  readonly helpers: Helpers
  readonly tools: InnerTools
}

/** null on macOS, where the system brings everything along. */
export interface Helpers {
  readonly bwrap: string | null
  readonly socat: string | null
  readonly rg: string | null
}

const packageName = '@anthropic-ai/sandbox-runtime'
/** The last one for Node 20, and the one that was tried. */
const triedVersion = '0.0.78'
const install = `npm install -g ${packageName}@${triedVersion}`

/** Only from outside of the project: it would be the agent's code, run by the runner. */
export async function findRuntime(
  site: Pick<Site, 'places' | 'scripts'>,
  platform: NodeJS.Platform,
): Promise<Result<Runtime, Unavailable>> {
  if (platform !== 'linux' && platform !== 'darwin') {
    return err({
      why: `There is no OS sandbox of Ralph's for ${platform}.`,
      fix: 'Use sbx, or run Ralph in WSL or a container.',
    })
  }
  const found = findPackage(site)
  if (found === null) {
    return err({
      why: `${packageName} is not installed outside of the project.`,
      fix: `Install it: ${install}${platform === 'linux' ? ' (and bubblewrap, socat, ripgrep: apt install bubblewrap socat ripgrep)' : ''}.`,
    })
  }
  const helpers = findHelpers(site.places, platform)
  if (!helpers.ok) return helpers
  const tools = await findTools(site.places, platform)
  return tools.ok ? ok({ ...found, helpers: helpers.value, tools: tools.value }) : tools
}

function findPackage({ places, scripts }: Pick<Site, 'places' | 'scripts'>): Omit<Runtime, 'helpers' | 'tools'> | null {
  const srt = findProgram('srt', places)
  // `srt` is <package>/dist/cli.js, by whatever links.
  const byPath = srt.ok ? [dirname(dirname(realpathSync(srt.value)))] : []
  const beside = ancestors(scripts).map((directory) => join(directory, 'node_modules', packageName))
  for (const candidate of [...byPath, ...beside]) {
    if (!existsSync(join(candidate, 'package.json')) || leadsInto(candidate, places.forbiddenRoot)) continue
    const root = realpathSync(candidate)
    const manifest = parseJson(readFileSync(join(root, 'package.json'), 'utf8'), { anyKey: true })
    if (!manifest.ok || !isObject(manifest.value) || manifest.value['name'] !== packageName) continue
    const module = join(root, 'dist', 'index.js')
    const version = manifest.value['version']
    if (existsSync(module)) return { root, module, version: typeof version === 'string' ? version : 'unknown' }
  }
  return null
}

function ancestors(directory: string): string[] {
  const parent = dirname(directory)
  return parent === directory ? [directory] : [directory, ...ancestors(parent)]
}

function findHelpers(places: SearchPlaces, platform: NodeJS.Platform): Result<Helpers, Unavailable> {
  if (platform === 'darwin') return ok({ bwrap: null, socat: null, rg: null })
  const [bwrap, socat, rg] = ['bwrap', 'socat', 'rg'].map((name) => findProgram(name, places)) as [Found, Found, Found]
  if (bwrap.ok && socat.ok && rg.ok) return ok({ bwrap: bwrap.value, socat: socat.value, rg: rg.value })
  const packages = { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' }
  const missing = [bwrap, socat, rg].flatMap((found) =>
    found.ok ? [] : [found.error.program as keyof typeof packages],
  )
  return err({
    why: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not on PATH outside of the project.`,
    fix: `Install ${missing.length === 1 ? 'it' : 'them'}: apt install ${missing.map((name) => packages[name]).join(' ')} (or by the packages of your system).`,
  })
}

type Found = ReturnType<typeof findProgram>

async function findTools(places: SearchPlaces, platform: NodeJS.Platform): Promise<Result<InnerTools, Unavailable>> {
  const isRoot = platform === 'linux' && process.getuid?.() === 0
  const names = ['bash', 'env', ...(isRoot ? ['mount', 'setpriv'] : [])]
  const found = new Map(names.map((name) => [name, findProgram(name, places)]))
  const missing = names.filter((name) => found.get(name)?.ok !== true)
  if (missing.length > 0) {
    return err({
      why: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not on PATH outside of the project.`,
      fix: 'Install bash, coreutils and util-linux.',
    })
  }
  const path = (name: string): string => {
    const program = found.get(name)
    return program?.ok === true ? program.value : ''
  }
  const [bash, env] = [path('bash'), path('env')]
  const tried = await runProgram({
    program: env,
    args: ['--default-signal=TERM', bash, '--norc', '-p', '-c', 'exit 7'],
    cwd: '/',
    env: {},
    timeoutMs: 10_000,
  })
  const resetsSignals = tried.ok && tried.value.exitCode === 7
  return ok({ bash, env, resetsSignals, root: isRoot ? { mount: path('mount'), setpriv: path('setpriv') } : null })
}
