import { expect, test } from 'vitest'
import { linkTokenOf, sharingOf } from './cross-origin.ts'

test.each([
  ['/openapi.json', 'any'],
  ['/files/results/a/1/b.mp4', 'any'],
  ['/api/v1/public/config', 'any'],
  ['/api/v1/public/pricing', 'any'],
  ['/api/v1/studio/tools', 'any'],
  ['/api/v1/studio/run', 'account'],
  ['/api/v1/studio/batches/b', 'account'],
  ['/api/v1/jobs', 'account'],
  ['/api/v1/jobs/j/events', 'account'],
  ['/api/v1/uploads', 'account'],
  ['/api/v1/uploads/multipart/create', 'account'],
  ['/api/v1/upload-links/t/presign', 'link'],
  ['/api/v1/upload-sessions', 'none'],
  ['/api/v1/public/feedback', 'none'],
  ['/api/v1/jobs-of-others', 'none'],
  ['/api/v1/auth/me', 'none'],
  ['/api/v1/me/origins', 'none'],
  ['/api/v1/tokens', 'none'],
  ['/api/v1/webhooks/endpoints', 'none'],
  ['/api/v1/billing/balance', 'none'],
  ['/api/v1/admin/jobs', 'none'],
  ['/internal/callbacks', 'none'],
  ['/openapi.json/', 'none'],
  ['/', 'none'],
])('%s is shared with: %s', (path, sharing) => {
  expect(sharingOf(path)).toBe(sharing)
})

test('the token of a link is a segment of its path', () => {
  expect(linkTokenOf('/api/v1/upload-links/abc/presign')).toBe('abc')
  expect(linkTokenOf('/api/v1/upload-links/abc')).toBe('abc')
  expect(linkTokenOf('/api/v1/upload-links/')).toBe('')
})
