/** @module-tag extended */

import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, inject, test } from 'vitest'
import { fetchDocument } from './support/api-document.ts'

const document = await fetchDocument(inject('system').api_url)

/** Locations where a linter rule does not apply. */
const EXCEPTIONS: Record<string, string[]> = {
  // The invoice of a reseller is only redirected to.
  'operation-2xx-response': ['#/paths/~1api~1v1~1billing~1receipts~1{token}~1invoice/get/responses'],
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

/** Runs the OpenAPI rules of Spectral. */
async function lintWithSpectral(source: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({
    extends: [rulesets.oas as RulesetDefinition],
    rules: {
      // For these rules, Spectral expands every reference, which takes minutes. dev/docs/api-document.test.ts validates
      // all examples.
      'oas3-valid-media-example': 'off',
      'oas3-valid-schema-example': 'off',
    },
  })
  const problems = await linter.run(JSON.parse(source))
  return problems.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)
}

test('the document passes the rules of the Spectral linter', async () => {
  expect(await lintWithSpectral(document)).toEqual([])
})

test('Spectral detects an endpoint without a tag, and an invalid schema', async () => {
  const invalid = JSON.parse(document)
  invalid.paths['/api/v1/me/ping'].get.tags = ['Nothing']
  invalid.components.schemas.Balance.type = 'money'
  const codes = (await lintWithSpectral(JSON.stringify(invalid))).map((problem) => problem.split(' ')[0])
  expect(codes).toEqual(expect.arrayContaining(['operation-tag-defined', 'oas3-schema']))
})

test('the linter detects an unknown security scheme and a duplicate operationId', async () => {
  const invalid = JSON.parse(document)
  invalid.paths['/api/v1/me/ping'].get.security = [{ nothing: [] }]
  invalid.paths['/api/v1/me/ping'].get.operationId = 'jobs.list'
  expect((await lint(JSON.stringify(invalid))).length).toBe(2)
})
