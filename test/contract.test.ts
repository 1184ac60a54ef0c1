import { expect, inject, test } from 'vitest'
import { type ContractEndpoint, listEndpointRows, readContract } from '../dev/docs/contract.ts'
import { type Endpoint, fetchDocument, listEndpoints } from './support/api-document.ts'

const served = listEndpoints(await fetchDocument(inject('system').api_url))
const endpoints = new Map(served.map((endpoint) => [endpoint.name, endpoint]))
const rows = [...readContract().values()].flatMap(listEndpointRows)

/** Lists the differences between the contract's tables and the document that the system serves. */
function compare(differ: (row: ContractEndpoint, endpoint: Endpoint) => string) {
  return rows.flatMap((row) => {
    const endpoint = endpoints.get(row.name)
    const difference = endpoint === undefined ? '' : differ(row, endpoint)
    return difference === '' ? [] : [`${row.name}: ${difference}`]
  })
}

/** The lowest documented status is the success status. */
const successOf = ({ statuses }: Endpoint) => Math.min(...statuses)

test('the contract defines each served endpoint once', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(served.map(({ name }) => name).toSorted())
})

test('each endpoint requires the access that the contract states', () => {
  const differ = ({ access }: ContractEndpoint, endpoint: Endpoint) =>
    endpoint.access === access ? '' : `${endpoint.access} instead of ${access}`
  expect(compare(differ)).toEqual([])
})

test('each endpoint has the success status that the contract states', () => {
  const differ = ({ success_status }: ContractEndpoint, endpoint: Endpoint) =>
    successOf(endpoint) === success_status ? '' : `${successOf(endpoint)} instead of ${success_status}`
  expect(compare(differ)).toEqual([])
})
