import { describe, expect, it } from 'vitest'
import { parseNameStatus, parseStatus } from '../../../../src/hooks/stop/parse-status.ts'

const zeros = '0'.repeat(40)
const id = 'a'.repeat(40)
const status = (...fields: string[]): string => fields.map((field) => `${field}\0`).join('')
const head = [`# branch.oid ${id}`, '# branch.head ralph/demo']

describe('the status of git', () => {
  it('tells commit, branch and nothing else of a clean tree', () => {
    expect(parseStatus(status(...head))).toEqual({ head: id, branch: 'ralph/demo', changes: [] })
  })

  it('tells of no commit and of no branch', () => {
    const text = status('# branch.oid (initial)', '# branch.head main')
    expect(parseStatus(text)).toMatchObject({ head: null, branch: 'main' })
    expect(parseStatus(status(`# branch.oid ${id}`, '# branch.head (detached)'))).toMatchObject({ branch: null })
  })

  it.each<[string, string, string, string]>([
    ['an untracked file', '? a  b', 'a  b', 'added'],
    ['an added file', `1 A. N... 000000 100644 100644 ${zeros} ${id} a b`, 'a b', 'added'],
    ['a changed file', `1 .M N... 100644 100644 100644 ${id} ${id} a`, 'a', 'modified'],
    ['a deleted file', `1 .D N... 100644 100644 000000 ${id} ${id} a`, 'a', 'deleted'],
    ['a conflict', `u UU N... 100644 100644 100644 100644 ${id} ${id} ${id} x y`, 'x y', 'modified'],
    ['a name with a line in it', '? a\n1 b', 'a\n1 b', 'added'],
  ])('tells %s', (_, field, path, kind) => {
    expect(parseStatus(status(...head, field))?.changes).toMatchObject([{ path, kind }])
  })

  it('leaves out repositories inside, which are for the runner to judge', () => {
    expect(parseStatus(status(...head, '? vendor/other/'))?.changes).toEqual([])
  })

  it.each(['', 'fatal: not a git repository\n', '\0\0'])('is none: %j', (text) => expect(parseStatus(text)).toBeNull())
})

describe('what was committed', () => {
  it('is pairs of a letter and a path', () => {
    expect(parseNameStatus('M\0a\0A\0b c\0D\0d\0T\0e\0')).toMatchObject([
      { path: 'a', kind: 'modified' },
      { path: 'b c', kind: 'added' },
      { path: 'd', kind: 'deleted', now: 'nothing' },
      { path: 'e', kind: 'modified' },
    ])
    expect(parseNameStatus('')).toEqual([])
  })
})
