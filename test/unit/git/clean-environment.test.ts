import { expect, it } from 'vitest'
import { userEnvironment } from '../../../src/git/clean-environment.ts'

it('the environment of a hook names no repository', () => {
  expect(
    userEnvironment({ GIT_DIR: '/x', GIT_CONFIG_GLOBAL: '/g', HOME: '/h', GIT_CONFIG_COUNT: '1', NO: undefined }),
  ).toMatchObject({
    GIT_CONFIG_GLOBAL: '/g',
    HOME: '/h',
  })
  expect(Object.keys(userEnvironment({ GIT_DIR: '/x', GIT_CONFIG_COUNT: '1' }))).not.toContain('GIT_DIR')
})
