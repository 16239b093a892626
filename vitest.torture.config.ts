import { defineConfig } from 'vitest/config'

/** Long, seeded, replayable: `RALPH_SEED=… npm run torture`. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', RALPH_TORTURE: '1' },
    include: ['test/torture/**/*.test.ts', 'test/e2e/loop/cheats-*.test.ts'],
    testTimeout: 3_600_000,
  },
})
