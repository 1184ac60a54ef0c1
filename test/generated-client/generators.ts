import { join } from 'node:path'
import { ROOT } from '../../dev/system/root.ts'

/** Generator of TypeScript clients, and the imports of the types that the tests use. */
export interface Generator {
  name: string
  /** Arguments for Node that generate a client from `openapi.json` in the working directory. */
  args: string[]
  /** Declares JobSubmit, StudioRunRequest, BatchRunRequest, Job and JobsQuery. */
  imports: string
}

/**
 * Returns the path of a generator. Generators need the API of TypeScript 5, so they are installed separately
 * (test/generators).
 */
const program = (name: string) => join(ROOT, 'node_modules/client-generators/node_modules/.bin', name)
const BODIES = 'JobSubmit, StudioRunRequest, BatchRunRequest, Job'

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    args: [program('openapi-typescript'), 'openapi.json', '--output', 'openapi-typescript.ts'],
    imports: [
      "import type { components, operations } from './openapi-typescript.ts'",
      ...BODIES.split(', ').map((name) => `type ${name} = components['schemas']['${name}']`),
      "type JobsQuery = NonNullable<operations['jobs.list']['parameters']['query']>",
    ].join('\n'),
  },
  {
    name: '@hey-api/openapi-ts',
    args: [
      ...[program('openapi-ts'), '--input', 'openapi.json', '--output', 'hey-api', '--no-log-file'],
      ...['--plugins', '@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    ],
    imports: [
      `import type { ${BODIES}, JobsListData } from './hey-api/index.ts'`,
      "type JobsQuery = NonNullable<JobsListData['query']>",
    ].join('\n'),
  },
  {
    name: 'orval',
    args: [program('orval'), '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
    imports: `import type { ${BODIES}, JobsListParams as JobsQuery } from './orval.ts'`,
  },
]
