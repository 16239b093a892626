import { defineConfig } from 'vitest/config'

/** The real agents against scripted model servers on 127.0.0.1: `npm run test:hosts`. Apart from the gate, which downloads no agents. */
export default defineConfig({
  test: {
    name: 'hosts',
    pool: 'forks',
    maxWorkers: 2,
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    include: ['test/hosts/**/*.test.ts'],
    globalSetup: ['test/hosts/install-hosts.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Names every test, also the ones that are skipped where a program cannot be had.
    reporters: ['verbose'],
  },
})
