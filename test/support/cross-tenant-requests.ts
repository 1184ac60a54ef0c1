import { ACCOUNT_REQUESTS } from './cross-tenant-account-requests.ts'
import { MEDIA_REQUESTS } from './cross-tenant-media-requests.ts'
import type { CrossTenantRequest } from './cross-tenant-request.ts'

const JOB = [404, 'job_not_found'] as const
const SIGN_IN = [404, 'session_not_found'] as const
const PARTS = [404, 'upload_not_found'] as const
const KEY = [404, 'api_key_not_found'] as const

const DELETIONS: CrossTenantRequest[] = [
  // The job was canceled above.
  {
    endpoint: 'DELETE /api/v1/jobs/{job_id}',
    path: { job_id: '{open_job_id}' },
    served: 204,
    refused: JOB,
  },
  { endpoint: 'DELETE /api/v1/uploads/{key}', served: 204, refused: PARTS },
  { endpoint: 'DELETE /api/v1/auth/sessions/{id}', served: 204, refused: SIGN_IN },
]

const KEYS: CrossTenantRequest[] = [
  { endpoint: 'POST /api/v1/tokens/{token_id}/toggle', served: 200, refused: KEY },
  { endpoint: 'DELETE /api/v1/tokens/{token_id}', served: 204, refused: KEY },
]

/** All requests in the order in which the owner sends them. Deletions come last. */
export const CROSS_TENANT_REQUESTS: readonly CrossTenantRequest[] = [
  ...[...MEDIA_REQUESTS, ...ACCOUNT_REQUESTS, ...DELETIONS, ...KEYS],
]
