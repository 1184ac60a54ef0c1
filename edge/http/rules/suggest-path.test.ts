import { expect, test } from 'vitest'
import { suggestPath } from './suggest-path.ts'

const ENDPOINTS = ['/api/v1/jobs', '/api/v1/jobs/:job_id', '/api/v1/jobs/:job_id/cancel', '/api/v1/me']

test.each([
  ['/api/v1/job', '/api/v1/jobs'],
  ['/api/v1/job/api', '/api/v1/jobs/{job_id}'],
  ['/api/v1/jobs/8c1f/cancle', '/api/v1/jobs/{job_id}/cancel'],
  ['/api/v1/jobs/8c1f/cancel/all', undefined],
  ['/api/v1/orders', undefined],
  ['/v1/jobs', '/api/v1/jobs'],
  ['/jobs', '/api/v1/jobs'],
  ['/api/jobs/8c1f', '/api/v1/jobs/{job_id}'],
  ['/api/v2/me', '/api/v1/me'],
  ['/api/v1/ab', undefined],
  [`/api/v1/jobs/${'x'.repeat(200)}/cancle`, undefined],
])('%s suggests %s', (path, suggestion) => {
  expect(suggestPath(path, ENDPOINTS)).toBe(suggestion)
})
