import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/**
 * Four projects, each in the runtime that its code has in production. `vitest run` runs them one after the other
 * (`groupOrder`), because encodes would delay tests that depend on time.
 */
let databases_taken = 0

/** The database of the workerd that starts next: files that run at the same time share none. */
function nextDatabase(urls: string[]): string {
  const url = urls[databases_taken++ % urls.length]
  if (!url) throw new Error('the global set-up has started no database')
  return url
}

export default defineConfig({
  test: {
    // The system under test takes many seconds to stop on a busy machine.
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
            miniflare: {
              bindings: {
                ...inject<Record<string, string>>('edge_bindings'),
                DATABASE_URL: nextDatabase(inject<string[]>('edge_databases')),
              },
            },
          })),
        ],
        test: {
          name: 'edge',
          include: ['edge/**/*.test.ts'],
          exclude: ['edge/**/rules/**'],
          globalSetup: ['test/system/setup-edge.ts'],
          // A workerd runs many files, as each start costs seconds. Those files share its database.
          isolate: false,
          maxWorkers: 2,
          // Console output that arrives after a test has ended would count as an unhandled error.
          disableConsoleIntercept: true,
          sequence: { groupOrder: 1 },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'fleet',
          environment: 'node',
          include: ['media-backend/**/*.test.ts'],
          // One process for all files, because loading the modules takes half a second in each process.
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
          // One file at a time, because fault tests stop processes and other tests measure bytes and time. One
          // process runs all files: it loads the modules once and holds the system that fault tests share.
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
