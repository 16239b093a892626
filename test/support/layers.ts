/** Folders of src from the ground up. A folder imports only what its row names, and itself. */
export interface Layer {
  readonly folder: string
  readonly mayImport: readonly string[]
  /** Of these only types: what does I/O comes in through ports. */
  readonly mayImportTypes?: readonly string[]
  /** npm packages; everything else is written by hand or comes with node. */
  readonly packages?: readonly string[]
  /** `none`: no disk, no process, no clock, no environment; the same input gives the same output. */
  readonly io: 'none' | 'allowed'
}

const ground = ['base', 'model']
const pure = [...ground, 'tasks', 'guard', 'limits', 'prompt', 'settings', 'agents']
const withIo = ['process', 'store', 'isolation', 'git', 'checks', 'journal']

export const layers: readonly Layer[] = [
  { folder: 'base', mayImport: [], io: 'none' },
  { folder: 'model', mayImport: ['base'], io: 'none' },
  { folder: 'tasks', mayImport: ground, io: 'none' },
  { folder: 'guard', mayImport: ground, packages: ['unbash'], io: 'none' },
  { folder: 'limits', mayImport: ground, io: 'none' },
  { folder: 'prompt', mayImport: [...ground, 'tasks'], io: 'none' },
  {
    folder: 'settings',
    mayImport: [...ground, 'tasks', 'guard', 'limits', 'prompt'],
    packages: ['zod'],
    io: 'none',
  },
  { folder: 'process', mayImport: ground, io: 'allowed' },
  { folder: 'store', mayImport: ground, io: 'allowed' },
  { folder: 'agents', mayImport: ground, io: 'none' },
  { folder: 'isolation', mayImport: [...ground, 'process'], io: 'allowed' },
  { folder: 'git', mayImport: [...ground, 'process'], io: 'allowed' },
  { folder: 'checks', mayImport: [...ground, 'store'], io: 'allowed' },
  { folder: 'journal', mayImport: [...ground, 'store'], io: 'allowed' },
  { folder: 'loop', mayImport: pure, mayImportTypes: withIo, io: 'none' },
  { folder: 'workflows', mayImport: [...pure, 'loop'], mayImportTypes: withIo, io: 'none' },
  { folder: 'terminal', mayImport: [...ground, 'journal'], io: 'none' },
  { folder: 'report', mayImport: [...ground, 'journal'], io: 'none' },
  {
    folder: 'demo',
    mayImport: [...pure, ...withIo, 'loop', 'workflows', 'terminal', 'report'],
    io: 'allowed',
  },
  {
    folder: 'doctor',
    mayImport: [...pure, ...withIo, 'loop', 'workflows', 'terminal', 'report'],
    io: 'allowed',
  },
  { folder: 'hooks', mayImport: [...ground, 'tasks', 'guard', 'store', 'git', 'process'], io: 'allowed' },
  {
    folder: 'cli',
    mayImport: [...pure, ...withIo, 'loop', 'workflows', 'terminal', 'report', 'demo', 'doctor'],
    packages: ['commander', '@clack/prompts'],
    io: 'allowed',
  },
]

/** Modules of node that compute and touch nothing. */
export const pureNodeModules: readonly string[] = [
  'node:buffer',
  'node:crypto',
  'node:path',
  'node:string_decoder',
  'node:url',
  'node:util',
]
