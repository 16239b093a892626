import { defineConfig } from 'vitest/config'

/** What lives where: `unit` mirrors src and touches nothing; `integration` uses real disks, processes and git; `e2e` runs the committed bundles. */
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the machine of CI has cores: many tests wait for processes.
    maxWorkers: 3,
    // For what hangs. How fast something is, is for `npm run bench` to say.
    testTimeout: 120_000,
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
    ],
  },
})
