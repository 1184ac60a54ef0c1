import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/**
 * Four projects, each in the runtime that the code meets in production. By themselves they run one after the other
 * (groupOrder): on two cores, encodes beside timing-sensitive tests would only slow each other down.
 */
export default defineConfig({
  test: {
    // What the tests of whole systems hold to their end takes many seconds to stop on a busy machine.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'shared/**/*.test.ts',
            'edge/**/rules/**/*.test.ts',
            'dev/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: inject<Record<string, string>>('edge_bindings') },
          })),
        ],
        test: {
          name: 'edge',
          include: ['edge/**/*.test.ts'],
          exclude: ['edge/**/rules/**'],
          globalSetup: ['test/system/setup-edge.ts'],
          // One workerd for all files: they share no state but the database, and each start costs seconds.
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'fleet',
          environment: 'node',
          include: ['media-backend/**/*.test.ts'],
          // One process for all files: each would take half a second to load what the others have loaded.
          isolate: false,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/system/setup.ts'],
          // One file at a time: a fault test ends parts, and others measure what they see. All are run by one
          // process, which reads what they import once and holds the system that fault tests share.
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 3 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
