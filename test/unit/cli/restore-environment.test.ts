import { expect, it } from 'vitest'
import { restoreEnvironment } from '../../../src/cli/restore-environment.ts'

it('gives the variable that the launcher hid back to its name', () => {
  const env = { RALPH_SAVED_NODE_EXTRA_CA_CERTS: '/a.pem', OTHER: '1' }
  restoreEnvironment(env)
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/a.pem', OTHER: '1' })
})

it('changes nothing when nothing was hidden', () => {
  const env = { NODE_EXTRA_CA_CERTS: '/a.pem' }
  restoreEnvironment(env)
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/a.pem' })
})

it('does not overrule a value that is there', () => {
  const env = { NODE_EXTRA_CA_CERTS: '/own.pem', RALPH_SAVED_NODE_EXTRA_CA_CERTS: '/a.pem' }
  restoreEnvironment(env)
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/own.pem' })
})
