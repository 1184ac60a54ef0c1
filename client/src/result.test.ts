import { expect, test } from 'vitest'
import type { Job } from '../generated/types.ts'
import type { Platform } from './platform.ts'
import { resultOf } from './result.ts'
import { Transport } from './transport.ts'

const transport = new Transport({
  apiUrl: 'https://media.example.com',
  apiKey: 'a secret key',
  language: undefined,
  maxRetries: 0,
  maxWaitMs: 0,
} as ConstructorParameters<typeof Transport>[0])

const FIRST = {
  url: 'https://media.example.com/files/a.jpg',
  filename: 'a.jpg',
  content_type: 'image/jpeg',
  size_bytes: 5,
  sha256: 'ab',
}
const SECOND = { ...FIRST, url: 'https://media.example.com/files/b.jpg', filename: 'b.jpg' }

test('a result is written as JSON with all of its files and without the API key', () => {
  const result = { ...FIRST, body: { width: 8 }, expires_at: '2026-01-02T00:00:00Z', files: [FIRST, SECOND] }
  const job = { id: 'j1', status: 'done', result } as unknown as Job
  const text = JSON.stringify(resultOf(transport, {} as Platform, job))
  expect(JSON.parse(text)).toEqual({ ...result, job: JSON.parse(JSON.stringify(job)) })
  expect(text).not.toContain('a secret key')
})
