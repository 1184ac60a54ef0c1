import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, inject, test } from 'vitest'
import { fetchDocument } from './support/api-document.ts'

const document = await fetchDocument(inject('system').api_url)

/** Locations where a linter rule does not apply. */
const EXCEPTIONS: Record<string, string[]> = {
  // Receivers parse every webhook as this union; each webhook names only its own type.
  'no-unused-components': ['#/components/schemas/WebhookEvent'],
  // Health checks accept no input or credentials and never respond with a 4xx status.
  'operation-4xx-response': [
    ...['/api/health', '/api/ready'].map((path) => `#/paths/${path.replaceAll('/', '~1')}/get/responses`),
    // The analytics endpoint accepts every request.
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

test('the document passes the strict recommendations of the Redocly linter', async () => {
  expect(await lint(document)).toEqual([])
})

test('the linter detects an unknown security scheme and a duplicate operationId', async () => {
  const invalid = JSON.parse(document)
  invalid.paths['/api/v1/me/ping'].get.security = [{ nothing: [] }]
  invalid.paths['/api/v1/me/ping'].get.operationId = 'jobs.list'
  expect((await lint(JSON.stringify(invalid))).length).toBe(2)
})
