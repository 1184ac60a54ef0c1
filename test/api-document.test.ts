import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, inject, test } from 'vitest'
import { fetchDocument } from './support/api-document.ts'

const document = await fetchDocument(inject('system').api_url)

/** Places where a rule of the linter asks for what is not so. */
const EXCEPTIONS: Record<string, string[]> = {
  // Health checks take no input and no credentials and are never refused.
  'operation-4xx-response': [
    ...['/api/health', '/api/ready'].map((path) => `#/paths/${path.replaceAll('/', '~1')}/get/responses`),
    // Nothing is refused there, whatever is sent.
    '#/paths/~1api~1v1~1analytics~1collect/post/responses',
  ],
}

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.flatMap(({ ruleId, message, location: [place] }) => {
    const pointer = place?.pointer ?? ''
    return EXCEPTIONS[ruleId]?.includes(pointer) ? [] : [`${ruleId} at ${pointer}: ${message}`]
  })
}

test('the document is clean under the linter of Redocly, by its strict recommendations', async () => {
  expect(await lint(document)).toEqual([])
})

test('which does find faults', async () => {
  const broken = JSON.parse(document)
  broken.paths['/api/v1/me/ping'].get.security = [{ nothing: [] }]
  broken.paths['/api/v1/me/ping'].get.operationId = 'jobs.list'
  expect((await lint(JSON.stringify(broken))).length).toBe(2)
})
