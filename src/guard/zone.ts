import type { Place } from './place.ts'
import { isWild, one, star, unknown } from './shell/pattern.ts'

/**
 * Whose a path is.
 * - `above`: the root of everything, a home, or any other directory that has a home or a project in it.
 * - `project-root`, `repository`: the project as a whole, or what its `.git` cannot be without.
 * - `project`: in the project, and no more than a part of it.
 * - `temporary-root`, `temporary`: a directory for temporary files, or something in it.
 * - `cache`: in the home, and made again when it is needed.
 * - `home`: anything else of the user.
 * - `device`, `system`: of the machine, or of other users.
 * - `elsewhere`: none of these.
 * - `unknown`: only running it would tell.
 */
export type Zone =
  | 'above'
  | 'project-root'
  | 'repository'
  | 'project'
  | 'temporary-root'
  | 'temporary'
  | 'cache'
  | 'home'
  | 'device'
  | 'system'
  | 'elsewhere'
  | 'unknown'

export interface Located {
  readonly zone: Zone
  /** Without detours; the directory alone where `isContent`. */
  readonly path: string
  /** It is everything that is in `path`: `dir/*`. */
  readonly isContent: boolean
}

/** No system takes a longer one, from whatever directory. */
export const maxPath = 8192

/** An absolute path, or one that begins with something unknown; wildcards as in `shell/pattern.ts`. */
export function locate(path: string, place: Place): Located {
  if (path.length > maxPath) return { zone: 'elsewhere', path: path.slice(0, maxPath), isContent: false }
  if (path.startsWith(unknown)) return { zone: 'unknown', path, isContent: false }
  const names = settled(path)
  const isContent = isEverything(names.at(-1) ?? '')
  const text = `/${(isContent ? names.slice(0, -1) : names).join('/')}`
  return { zone: zoneOf(text, place), path: text, isContent }
}

function settled(path: string): string[] {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

/** `*`, `.*`, `.[!.]*` and what else finds every name, or every hidden one. */
const everything = new RegExp(`^\\.?[${star}${one}]*${star}[${star}${one}]*$`, 'u')
const isEverything = (name: string): boolean => everything.test(name)

const systemNames = new Set(
  (
    'bin boot cores dev etc home lib lib32 lib64 libx32 lost+found media mnt nix opt private proc root run sbin snap ' +
    'srv sys usr var applications library network system users volumes'
  ).split(' '),
)

const temporaryRoots = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/dev/shm']
const temporaryFolders = /^(?:\/private)?\/var\/folders(?:\/[^/]+){2}\/[TC](?=\/|$)/

const caches = (
  '.cache Library/Caches Library/Developer/Xcode/DerivedData .npm .pnpm-store .local/share/pnpm/store .yarn/cache ' +
  '.yarn/berry/cache .bun/install/cache .gradle/caches .gradle/daemon .m2/repository .ivy2/cache .cargo/registry .cargo/git ' +
  'go/pkg .nuget/packages .pub-cache .cocoapods/repos .ccache .conan .conan2/p .node-gyp .turbo .android/cache .sbt/boot ' +
  '.composer/cache .bundle/cache .terraform.d/plugin-cache .rustup/tmp .rustup/downloads'
).split(' ')

function zoneOf(path: string, place: Place): Zone {
  const isIn = (root: string): boolean => root !== '/' && (path === root || path.startsWith(`${root}/`))
  const holds = (inner: string): boolean => path === '/' || inner === path || inner.startsWith(`${path}/`)
  for (const project of place.projects) {
    if (path === project) return 'project-root'
    if (['', '/objects', '/refs', '/logs'].some((name) => path === `${project}/.git${name}`)) return 'repository'
    if (isIn(project)) return 'project'
  }
  if ([place.home, ...place.projects].some(holds)) return 'above'
  for (const root of [...temporaryRoots, ...ownTemporary(place)]) {
    if (path === root) return 'temporary-root'
    if (isIn(root)) return 'temporary'
  }
  const [folder] = temporaryFolders.exec(path) ?? []
  if (folder !== undefined) return folder === path ? 'temporary-root' : 'temporary'
  if (isIn(place.home)) {
    return caches.some((name) => isIn(`${place.home}/${name}`)) ? 'cache' : 'home'
  }
  const [top = ''] = path.slice(1).split('/')
  if (top.toLowerCase() === 'dev') return 'device'
  return systemNames.has(top.toLowerCase()) || isWild(top) ? 'system' : 'elsewhere'
}

/** Only a directory that is for nothing else: a TMPDIR of `/` or of a home would free everything. */
function ownTemporary({ variables, home }: Place): string[] {
  return [variables['TMPDIR'], variables['TMP'], variables['TEMP'], variables['CLAUDE_CODE_TMPDIR']]
    .map((path) => path?.replace(/\/+$/, '') ?? '')
    .filter((path) => path.split('/').length > 2 && path.startsWith('/') && !`${home}/`.startsWith(`${path}/`))
}
