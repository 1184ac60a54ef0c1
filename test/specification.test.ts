import { expect, inject, test } from 'vitest'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'
import { NAMED, SPECIFIED, type SpecifiedEndpoint } from './support/specification.ts'

const endpoints = new Map(
  listEndpoints(await fetchDocument(inject('system').api_url)).map((endpoint) => [endpoint.name, endpoint]),
)

/** Endpoints that let in whom the table does not name, because another of its rules says so. */
const WIDER: Record<string, string> = {
  'GET /api/v1/jobs/{job_id}': 'who has no account reads a job by its id',
  'POST /api/v1/jobs/{job_id}/cancel': 'who has no account cancels a job by its id',
  'GET /api/v1/studio/batches/{batch_id}': 'who has no account reads a batch by its id',
  'POST /api/v1/studio/batches/{batch_id}/cancel': 'who has no account cancels a batch by its id',
}

/** Every difference between the rows and the document that the system serves. */
function compare(rows: SpecifiedEndpoint[], differ: (row: SpecifiedEndpoint, endpoint: Endpoint) => string) {
  return rows.flatMap((row) => {
    const endpoint = endpoints.get(row.name)
    const difference = endpoint === undefined ? '' : differ(row, endpoint)
    return difference === '' ? [] : [`${row.name}: ${difference}`]
  })
}

/** The status of success is the least that is documented. */
const successOf = ({ statuses }: Endpoint) => Math.min(...statuses)

test('the tables have the size that the specification has, and no row twice', () => {
  expect(SPECIFIED).toHaveLength(80)
  const names = [...SPECIFIED, ...NAMED].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['of the specification', SPECIFIED],
  ['of the open names', NAMED],
])('every endpoint %s exists', (_title, rows) => {
  expect(rows.map(({ name }) => name).filter((name) => !endpoints.has(name))).toEqual([])
})

test('each lets in whom the specification names', () => {
  const differ = ({ name, access }: SpecifiedEndpoint, endpoint: Endpoint) => {
    const expected = name in WIDER ? 'anyone' : access
    return endpoint.access === expected ? '' : `${endpoint.access} instead of ${expected}`
  }
  expect(compare([...SPECIFIED, ...NAMED], differ)).toEqual([])
  for (const name of Object.keys(WIDER)) expect(SPECIFIED.map((row) => row.name)).toContain(name)
})

test('each answers success by the status that the specification gives', () => {
  const differ = ({ success_status }: SpecifiedEndpoint, endpoint: Endpoint) =>
    success_status === null || successOf(endpoint) === success_status
      ? ''
      : `${successOf(endpoint)} instead of ${success_status}`
  expect(compare(SPECIFIED, differ)).toEqual([])
})
