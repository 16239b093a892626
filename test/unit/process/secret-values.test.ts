import { expect, it } from 'vitest'
import { secretValues } from '../../../src/process/secret-values.ts'

it('names the values of keys, each once', () => {
  const env = {
    GH_TOKEN: 'ghp_0123456789abcdef',
    GITHUB_TOKEN: 'ghp_0123456789abcdef',
    ANTHROPIC_API_KEY: ' sk-ant-0123456789\n',
    HOME: '/home/somebody-or-other',
    DATABASE_URL: 'postgres://localhost/test',
  }
  expect(secretValues(env)).toEqual(['ghp_0123456789abcdef', 'sk-ant-0123456789'])
})

it('leaves out words, files and what is no key', () => {
  const env = {
    DB_PASSWORD: 'postgres',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key-of-google.json',
    TLS_PRIVATE_KEY: '~/keys/my-private.pem',
    AWS_PROFILE: 'production-account',
    SSH_AUTH_SOCK: '/tmp/ssh-abcdefghij/agent.1',
    KUBECONFIG: 'somewhere/kube/config',
    EMPTY_TOKEN: undefined,
  }
  expect(secretValues(env)).toEqual([])
})
