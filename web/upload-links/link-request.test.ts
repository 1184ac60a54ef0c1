import { expect, test } from 'vitest'
import { EMPTY_DRAFT, makeRequest } from './link-request.ts'

const OPERATION = { service_slug: 'video', operation_key: 'compress', params: { level: 'strong' } }

test('leaves out what the service chooses', () => {
  expect(makeRequest(OPERATION, { ...EMPTY_DRAFT, note: ' ' })).toEqual({ ...OPERATION, expires_in: 86_400 })
})

test('sends what the owner has chosen', () => {
  const draft = {
    types: ['video/mp4'],
    max_size_mb: '1.5',
    expires_in: '3600',
    note: ' The clip of Saturday ',
    webhook_url: ' https://example.org/hook ',
  }
  expect(makeRequest(OPERATION, draft)).toEqual({
    ...OPERATION,
    expires_in: 3600,
    allowed_mime_types: ['video/mp4'],
    max_size_bytes: 1_572_864,
    note: 'The clip of Saturday',
    webhook_url: 'https://example.org/hook',
  })
})
