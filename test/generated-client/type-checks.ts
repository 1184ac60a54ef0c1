import { exampleBody, exampleInput } from '../../shared/operations/examples.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'

/**
 * Returns lines of TypeScript that compile only if the types of a generated client accept the example of each
 * operation and the fields of its results, and refuse any other parameter or field.
 */
export function typeChecks(): string {
  return [...OPERATIONS.flatMap(operationChecks), ...QUERY_CHECKS].join('\n')
}

function operationChecks(operation: Operation, index: number): string[] {
  const { service_slug, operation_key, params } = exampleBody(operation)
  const misspelled = { ...params, misspelled_parameter: 1 }
  const address = { service_slug, operation_key }
  const declare = (name: string, type: string, value: object) =>
    `export const ${name}${index}: ${type} = ${JSON.stringify(value)}`
  const refused = (line: string) => ['// @ts-expect-error', line]
  const files = { file_urls: Object.values(exampleInput(operation)) }
  return [
    declare('job', 'JobSubmit', { ...address, params }),
    ...refused(declare('invalidJob', 'JobSubmit', { ...address, params: misspelled })),
    declare('run', 'StudioRunRequest', { ...address, params }),
    ...refused(declare('invalidRun', 'StudioRunRequest', { ...address, params: misspelled })),
    declare('batch', 'BatchRunRequest', { ...address, params, ...files }),
    ...refused(declare('invalidBatch', 'BatchRunRequest', { ...address, params: misspelled, ...files })),
    `export function read${index}(job: Job): unknown {`,
    `  if (job.service_slug !== '${service_slug}' || job.operation_key !== '${operation_key}') return job.status`,
    ...refused('  job.result?.body.misspelled_field'),
    `  return [${Object.keys(operation.result_body.shape).map((field) => `job.result?.body.${field}`)}]`,
    '}',
  ]
}

const QUERY_CHECKS = [
  'export const query: JobsQuery = { mine: true, limit: 5 }',
  '// @ts-expect-error: a Boolean',
  "export const invalidQuery: JobsQuery = { mine: 'true' }",
]
