import type { Who } from './access-states.ts'

type Expected = Partial<Record<Who | 'anonymous', number>>

/**
 * A group of endpoints whose status for an authorized caller deviates from the matrix's general rules for the same
 * reason.
 */
interface Exception {
  why: string
  expected: Expected
  /** Path parameters that name no resource. */
  unknown?: Record<string, string>
  of: string[]
}

const LISTED: Exception[] = [
  {
    why: 'administrators see all jobs, batches and accounts',
    expected: { administrator: 200 },
    of: [
      'GET /api/v1/jobs/{job_id}',
      'GET /api/v1/jobs/{job_id}/events',
      'GET /api/v1/studio/batches/{batch_id}',
      'GET /api/v1/admin/accounts/{account_id}',
    ],
  },
  {
    why: 'the job or batch has ended',
    expected: { owner: 409, administrator: 409 },
    of: ['POST /api/v1/jobs/{job_id}/cancel', 'POST /api/v1/studio/batches/{batch_id}/cancel'],
  },
  {
    why: 'the job has ended',
    expected: { administrator: 409 },
    of: ['POST /api/v1/admin/jobs/{job_id}/cancel'],
  },
  {
    why: 'the request has an overlong Idempotency-Key, so that nothing is charged; administrators can access all jobs and batches',
    expected: { owner: 422, administrator: 422 },
    of: ['POST /api/v1/jobs/{job_id}/repeat', 'POST /api/v1/studio/batches/{batch_id}/repeat'],
  },
  {
    why: 'anyone may hold the id of an anonymous job, so the response must not reveal whether an id exists',
    expected: { anonymous: 404 },
    of: ['POST /api/v1/jobs/{job_id}/delivered'],
  },
  {
    why: 'an administrator revoked the key',
    expected: { owner: 403 },
    of: ['POST /api/v1/tokens/{token_id}/toggle', 'DELETE /api/v1/tokens/{token_id}'],
  },
  {
    why: 'an administrator revokes every key',
    expected: { administrator: 200 },
    of: ['POST /api/v1/admin/tokens/{token_id}/revoke'],
  },
  {
    why: 'the request body is invalid, so that nothing is changed',
    expected: { owner: 422, stranger: 422, administrator: 422 },
    of: [
      'PATCH /api/v1/webhooks/endpoints/{endpoint_id}',
      'PATCH /api/v1/storage-connections/{connection_name}',
      'PUT /api/v1/templates/{template_name}',
      'POST /api/v1/templates/{template_name}/jobs',
      'POST /api/v1/templates/{template_name}/batches',
    ],
  },
  {
    why: 'the resource does not exist, so that none is deleted',
    expected: { owner: 404 },
    unknown: {
      ...{ endpoint_id: crypto.randomUUID(), connection_name: 'unknown', template_name: 'unknown' },
      ...{ job_id: crypto.randomUUID(), id: crypto.randomUUID(), key: 'unknown' },
    },
    of: [
      'DELETE /api/v1/jobs/{job_id}',
      'DELETE /api/v1/uploads/{key}',
      'DELETE /api/v1/auth/sessions/{id}',
      'DELETE /api/v1/webhooks/endpoints/{endpoint_id}',
      'DELETE /api/v1/storage-connections/{connection_name}',
      'DELETE /api/v1/templates/{template_name}',
    ],
  },
  {
    why: 'each caller changes their own list of favorites',
    expected: { stranger: 204, administrator: 204 },
    of: ['DELETE /api/v1/me/favorites/{operation_id}'],
  },
  {
    why: 'the account has no renewing subscription',
    expected: { owner: 409, stranger: 409, administrator: 409 },
    of: ['POST /api/v1/billing/subscription/cancel', 'POST /api/v1/billing/subscription/payment-method'],
  },
  {
    why: 'the request has an unknown query parameter, so that no session ends',
    expected: { owner: 422, stranger: 422, administrator: 422 },
    of: ['POST /api/v1/auth/logout', 'POST /api/v1/auth/logout-all'],
  },
  {
    why: 'the email address is already confirmed',
    expected: { owner: 409, stranger: 409, administrator: 409 },
    of: ['POST /api/v1/auth/email/send-code'],
  },
  {
    why: 'the request body is invalid, so that nothing is refunded',
    expected: { owner: 422, stranger: 422, administrator: 422 },
    of: ['POST /api/v1/billing/payments/{order_id}/refund'],
  },
  {
    why: 'the request has an overlong Idempotency-Key, so that nothing is stated or refunded',
    expected: { owner: 422 },
    of: [
      'POST /api/v1/billing/payments/{order_id}/withdrawal',
      'POST /api/v1/billing/withdrawals/{withdrawal_id}/confirm',
    ],
  },
  {
    why: 'the holder of the link needs no account',
    expected: { anonymous: 200 },
    of: ['GET /api/v1/upload-links/{token}', 'GET /api/v1/upload-links/{token}/status'],
  },
  {
    why: 'this system has no bot; with one, a request without its secret gets 401',
    expected: { anonymous: 404 },
    of: ['POST /api/v1/tg/webhook/{bot_id}'],
  },
  {
    why: 'the token belongs to an upload link',
    expected: { anonymous: 404 },
    of: [
      'GET /api/v1/billing/renewals/{token}',
      'POST /api/v1/billing/renewals/{token}/cancel',
      'GET /api/v1/billing/receipts/{token}',
      'GET /api/v1/billing/receipts/{token}/invoice',
    ],
  },
  {
    why: 'every request gets the same response',
    expected: { anonymous: 202 },
    of: ['POST /api/v1/analytics/collect'],
  },
  {
    why: 'the request body is invalid, so that nothing is changed',
    expected: { administrator: 422 },
    of: [
      'PATCH /api/v1/admin/accounts/{account_id}',
      'PATCH /api/v1/admin/operations/{operation_id}',
      'PATCH /api/v1/admin/packages/{package_id}',
      'PATCH /api/v1/admin/plans/{plan_id}',
      'PATCH /api/v1/admin/promotions/{promotion_id}',
      'POST /api/v1/admin/refunds/{refund_id}/approve',
      'POST /api/v1/admin/refunds/{refund_id}/reject',
      'POST /api/v1/admin/unmatched-events/{event_id}/settle',
      'POST /api/v1/billing/admin/payments/{order_id}/resolve',
    ],
  },
  {
    why: 'the request body is invalid, so that nothing is changed',
    expected: { anonymous: 422 },
    of: [
      'POST /api/v1/upload-links/{token}/presign',
      'POST /api/v1/upload-links/{token}/complete',
      'POST /api/v1/upload-links/{token}/file',
    ],
  },
]

/** The exceptions, keyed by endpoint. */
export const EXCEPTIONS: Record<string, Omit<Exception, 'of'>> = Object.fromEntries(
  LISTED.flatMap(({ of, ...exception }) => of.map((endpoint) => [endpoint, exception])),
)
