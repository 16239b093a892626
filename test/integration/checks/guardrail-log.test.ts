import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeGuardrailLog } from '../../../src/checks/guardrail-log.ts'
import { failure, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'

let project: string
let state: string

beforeEach(() => {
  project = scratch()
  state = scratch()
})

function logOf(name: string, text = 'output\n'): string {
  const log = join(state, name)
  writeFileSync(log, text)
  return log
}

const publish = (iteration: number, log: string) => writeGuardrailLog({ project, iteration, log })

it('puts the output into the project, under the iteration and the command', () => {
  expect(value(publish(3, logOf('0003-npm_test.log')))).toBe('.ralph/guardrail_3_npm_test.log')
  expect(value(publish(3, logOf('0003-npm_test_2.log', 'other\n')))).toBe('.ralph/guardrail_3_npm_test_2.log')
  expect(readFileSync(join(project, '.ralph/guardrail_3_npm_test.log'), 'utf8')).toBe('output\n')
  expect(readFileSync(join(project, '.ralph/guardrail_3_npm_test_2.log'), 'utf8')).toBe('other\n')
})

it('does the same again after a crash, and replaces what an earlier run left under the name', () => {
  for (const text of ['first\n', 'second\n']) {
    expect(value(publish(1, logOf('0001-make.log', text)))).toBe('.ralph/guardrail_1_make.log')
    expect(readFileSync(join(project, '.ralph/guardrail_1_make.log'), 'utf8')).toBe(text)
  }
  expect(readdirSync(join(project, '.ralph'))).toEqual(['guardrail_1_make.log'])
})

it('is at most 10 MB: both ends, and how much is between them', () => {
  const log = logOf('0001-x.log', 'begin')
  truncateSync(log, 30_000_000)
  writeFileSync(log, 'end', { flag: 'a' })
  const text = readFileSync(join(project, value(publish(1, log))))
  expect(text.length).toBeLessThanOrEqual(10_000_000)
  expect(text.subarray(0, 5).toString()).toBe('begin')
  expect(text.subarray(-3).toString()).toBe('end')
  expect(text.includes('[… 20000103 bytes left out …]')).toBe(true)
})

describe('59 guardrail-log-symlink', () => {
  it('a link at the name gives way, and what it points to is untouched', () => {
    const victim = join(state, '.bashrc')
    writeFileSync(victim, 'mine')
    mkdirSync(join(project, '.ralph'))
    symlinkSync(victim, join(project, '.ralph/guardrail_1_make.log'))
    value(publish(1, logOf('0001-make.log')))
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(readFileSync(join(project, '.ralph/guardrail_1_make.log'), 'utf8')).toBe('output\n')
  })

  it('a linked directory is refused, and nothing is written or removed behind it', () => {
    const outside = scratch()
    for (let index = 0; index < 30; index++) writeFileSync(join(outside, `guardrail_${index}_x.log`), '')
    symlinkSync(outside, join(project, '.ralph'))
    expect(failure(publish(1, logOf('0001-make.log')))).toMatchObject({ reason: 'unsafe-file' })
    expect(readdirSync(outside)).toHaveLength(30)
  })

  it('a directory at the name is a failure', () => {
    mkdirSync(join(project, '.ralph/guardrail_1_make.log'), { recursive: true })
    expect(failure(publish(1, logOf('0001-make.log')))).toMatchObject({ reason: 'unsafe-file' })
  })
})

it('keeps twenty: the oldest go, whatever their number', () => {
  mkdirSync(join(project, '.ralph'))
  for (let index = 1; index <= 30; index++) {
    const path = join(project, `.ralph/guardrail_${100 - index}_old.log`)
    writeFileSync(path, '')
    utimesSync(path, index, index)
  }
  value(publish(1, logOf('0001-make.log')))
  const names = readdirSync(join(project, '.ralph'))
  expect(names).toHaveLength(20)
  expect(names).toContain('guardrail_1_make.log')
  expect(names).toContain('guardrail_70_old.log')
  expect(names).not.toContain('guardrail_99_old.log')
})

it('touches nothing that is not named like its own', () => {
  const others = ['settings.json', 'guardrail_x_a.log', 'guardrail_1_.log', 'guardrail_1_a.txt', 'my_guardrail_1_a.log']
  mkdirSync(join(project, '.ralph/guardrail_1_directory.log'), { recursive: true })
  for (const name of others) {
    writeFileSync(join(project, '.ralph', name), '')
    utimesSync(join(project, '.ralph', name), 1, 1)
  }
  for (let index = 1; index <= 25; index++) value(publish(index, logOf('0001-make.log')))
  for (const name of [...others, 'guardrail_1_directory.log'])
    expect(existsSync(join(project, '.ralph', name))).toBe(true)
  expect(readdirSync(join(project, '.ralph')).filter((name) => name.endsWith('_make.log'))).toHaveLength(20)
})

it('a log that is gone is a failure', () => {
  expect(failure(publish(1, join(state, 'none.log')))).toMatchObject({ reason: 'storage', code: 'ENOENT' })
})
