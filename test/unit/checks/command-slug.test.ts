import { expect, it } from 'vitest'
import { commandSlug } from '../../../src/checks/command-slug.ts'

it.each([
  ['./mvnw clean install -T 2C', 'mvnw_clean_install_T_2C'],
  ['npm test', 'npm_test'],
  ['npm  run   lint -- --fix', 'npm_run_lint_fix'],
  ['../../etc/passwd', 'etc_passwd'],
  ['a\0b\n/c', 'a_b_c'],
  ['größe', 'gr_e'],
  ['', 'check'],
  ['$(…)', 'check'],
])('%j becomes %s', (command, slug) => expect(commandSlug(command)).toBe(slug))

it('is short, and does not end in the middle of nothing', () => {
  expect(commandSlug('x'.repeat(1_000_000))).toBe('x'.repeat(50))
  expect(commandSlug(`${'x'.repeat(49)} yes`)).toBe('x'.repeat(49))
})
