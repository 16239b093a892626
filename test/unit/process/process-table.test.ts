import { describe, expect, it } from 'vitest'
import { treeMembers, wholeGroups, type ProcessEntry, type ProcessTable } from '../../../src/process/process-table.ts'

type Row = Partial<ProcessEntry> & { readonly pid: number; readonly ppid: number }

const table = (...rows: readonly Row[]): ProcessTable =>
  new Map(
    rows.map((row) => [
      row.pid,
      { startTime: row.pid * 10, groupId: row.pid, sessionId: row.pid, ended: false, ...row },
    ]),
  )

const self = 100
const ours: Row[] = [
  { pid: 1, ppid: 0 },
  { pid: 50, ppid: 1 },
  { pid: self, ppid: 50 },
]
const child = { pid: 200, startTime: 2000 }

const pidsOf = (rows: readonly Row[], known = [child], carriers: number[] = []): number[] =>
  treeMembers(table(...ours, ...rows), { known, carriers, self }).map((entry) => entry.pid)

describe('treeMembers', () => {
  it("never has process 1, whose children are everybody's orphans, not even in a table that does not lead to it", () => {
    const orphan = { pid: 300, ppid: 1 }
    const rows = table({ pid: 1, ppid: 0 }, { pid: self, ppid: 7 }, orphan)
    expect(treeMembers(rows, { known: [], carriers: [1], self })).toEqual([])
  })

  it('has the child first, then everything below it, whatever sessions they made', () => {
    const rows = [
      { pid: 200, ppid: self },
      { pid: 203, ppid: 202 },
      { pid: 201, ppid: 200 },
      { pid: 202, ppid: 200 },
    ]
    expect(pidsOf(rows)).toEqual([200, 201, 202, 203])
  })

  it('leaves alone a process that got the pid of the child later, and what is below it', () => {
    expect(
      pidsOf([
        { pid: 200, ppid: 1, startTime: 9000 },
        { pid: 201, ppid: 200 },
      ]),
    ).toEqual([])
  })

  it('leaves alone the session of a process that got the pid of the child later', () => {
    expect(
      pidsOf([
        { pid: 200, ppid: 1, startTime: 9000 },
        { pid: 201, ppid: 1, sessionId: 200 },
      ]),
    ).toEqual([])
  })

  it('finds orphans by the session or group that the child led', () => {
    const rows = [
      { pid: 201, ppid: 1, sessionId: 200 },
      { pid: 202, ppid: 1, groupId: 200 },
      { pid: 203, ppid: 201 },
      { pid: 204, ppid: 1 },
    ]
    expect(pidsOf(rows)).toEqual([201, 202, 203])
  })

  it('finds orphans by the environment, and what is below them', () => {
    const rows = [
      { pid: 300, ppid: 1 },
      { pid: 301, ppid: 300 },
      { pid: 302, ppid: 1 },
    ]
    expect(pidsOf(rows, [child], [300])).toEqual([300, 301])
  })

  it('does not count zombies', () => {
    expect(
      pidsOf([
        { pid: 200, ppid: self, ended: true },
        { pid: 201, ppid: 1, sessionId: 200, ended: true },
      ]),
    ).toEqual([])
  })

  it('never has ourselves, what is above us, or the first process, even if they carry the run id', () => {
    expect(pidsOf([{ pid: 200, ppid: self }], [child], [self, 50, 1])).toEqual([200])
  })

  it('does not take our other children when we carry the run id ourselves', () => {
    expect(pidsOf([{ pid: 400, ppid: self }], [], [self])).toEqual([])
  })

  it('ends on a table whose parents go in a circle', () => {
    expect(
      pidsOf([
        { pid: 200, ppid: 201 },
        { pid: 201, ppid: 200 },
      ]),
    ).toEqual([200, 201])
    expect(
      treeMembers(table({ pid: 100, ppid: 101 }, { pid: 101, ppid: 100 }), { known: [], carriers: [], self }),
    ).toEqual([])
  })
})

describe('wholeGroups', () => {
  it('names the groups that hold only members, and no group that anybody else is in', () => {
    const all = table(
      { pid: 200, ppid: self },
      { pid: 201, ppid: 200, groupId: 200 },
      { pid: 300, ppid: 1 },
      { pid: 301, ppid: 1, groupId: 300 },
      { pid: 302, ppid: 1, groupId: 200, ended: true },
    )
    const members = [200, 201, 301].flatMap((pid) => all.get(pid) ?? [])
    expect(wholeGroups(all, members)).toEqual([200])
  })
})
