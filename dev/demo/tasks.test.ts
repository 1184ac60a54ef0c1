import { expect, test } from 'vitest'
import { readStages } from '../../edge/jobs/rules/pipeline.ts'
import { findOperation, OPERATIONS } from '../../shared/operations/index.ts'
import { TASKS, withAddresses } from './tasks.ts'

const named = TASKS.map((task) => [`${task.service_slug}/${task.operation_key}`, task] as const)

test('the tasks cover every operation of the catalog', () => {
  const covered = new Set(named.map(([address]) => address))
  expect(OPERATIONS.filter(({ service, key }) => !covered.has(`${service}/${key}`))).toEqual([])
})

test.each(named)('the params of %s are accepted', (_, { service_slug, operation_key, params }) => {
  const operation = findOperation(service_slug, operation_key)
  if (operation === undefined) throw new Error(`${service_slug}/${operation_key} is not in the catalog`)
  const url = operation.accepts.includes('link') ? { url: 'https://example.org/page' } : {}
  const filled = withAddresses({ ...url, ...params }, (sample) => `https://example.org/${sample}`)
  const read = readStages(operation, filled as Record<string, unknown>, OPERATIONS)
  expect(read).toHaveProperty('stages')
})
