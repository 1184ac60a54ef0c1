import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/**
 * Defines five projects, each in the runtime that its code uses in production. `vitest run` runs them one at a time
 * (`groupOrder`), because encodes would delay time-sensitive tests.
 */
let databases_taken = 0

/** Returns the databases of the workerd that starts next. Files that run concurrently do not share them. */
function nextDatabases<Urls>(databases: Urls[]): Urls {
  const urls = databases[databases_taken++ % databases.length]
  if (!urls) throw new Error('the global set-up has started no database')
  return urls
}

/** Node strips the types itself, as it does in production, which takes less time than a transform by Vite. */
const NATIVE = { viteModuleRunner: false }

/** Files that change or stop the system under test. They start systems of their own. */
const OWN_SYSTEMS = ['test/own-systems/**/*.test.ts', 'test/faults/**/*.test.ts']

export default defineConfig({
  test: {
    // On a busy machine, the system under test takes many seconds to stop.
    teardownTimeout: 60_000,
    tags: [
      {
        name: 'extended',
        description:
          'Inputs that few users send, many cases of one rule, and faults of single parts. `npm test` leaves them out; CI runs them.',
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'shared/**/*.test.ts',
            'client/**/*.test.ts',
            'web/**/*.test.ts',
            'edge/**/rules/**/*.test.ts',
            'dev/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          isolate: false,
          sequence: { groupOrder: 0 },
          testTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ...inject<Record<string, string>>('edge_bindings'),
                ...nextDatabases(inject<Record<string, string>[]>('edge_databases')),
              },
            },
          })),
        ],
        test: {
          name: 'edge',
          include: ['edge/**/*.test.ts'],
          exclude: ['edge/**/rules/**'],
          globalSetup: ['test/system/setup-edge.ts'],
          // Each workerd runs many files, because each start takes seconds. Those files share its database.
          isolate: false,
          maxWorkers: 2,
          // Console output that arrives after a test has ended would count as an unhandled error.
          disableConsoleIntercept: true,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'fleet',
          environment: 'node',
          experimental: NATIVE,
          include: ['media-backend/**/*.test.ts'],
          // Each process runs many files, because loading the modules takes half a second per process.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          environment: 'node',
          experimental: NATIVE,
          include: ['test/**/*.test.ts'],
          exclude: OWN_SYSTEMS,
          globalSetup: ['test/system/setup.ts'],
          // Files run one at a time, because some measure bytes and time.
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 3 },
          // Longer than the default of one second, so that a busy machine does not fail a test.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'own-systems',
          environment: 'node',
          experimental: NATIVE,
          include: OWN_SYSTEMS,
          // Files run one at a time, because they stop processes. A single process runs all files: it holds the system
          // that most of them share.
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 4 },
          // Longer than the default of one second, so that a busy machine does not fail a test.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
