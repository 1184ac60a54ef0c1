import type { Who } from './access-states.ts'

type Expected = Partial<Record<Who | 'nobody', number>>

/** Endpoints of one reason why those who are let in are not answered as the document and the matrix's rules say. */
interface Exception {
  why: string
  expected: Expected
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
    why: 'the job or batch is over',
    expected: { owner: 409, administrator: 409 },
    of: ['POST /api/v1/jobs/{job_id}/cancel', 'POST /api/v1/studio/batches/{batch_id}/cancel'],
  },
  {
    why: 'the job is over',
    expected: { administrator: 409 },
    of: ['POST /api/v1/admin/jobs/{job_id}/cancel'],
  },
  {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is charged; administrators see all of them',
    expected: { owner: 422, administrator: 422 },
    of: ['POST /api/v1/jobs/{job_id}/repeat', 'POST /api/v1/studio/batches/{batch_id}/repeat'],
  },
  {
    why: 'who has no account may know the id of a job without one, so that it must not tell them apart',
    expected: { nobody: 404 },
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
    why: "it is everybody's own list that this unpins from",
    expected: { stranger: 204, administrator: 204 },
    of: ['DELETE /api/v1/me/favorites/{operation_id}'],
  },
  {
    why: 'nothing renews itself',
    expected: { owner: 409, stranger: 409, administrator: 409 },
    of: ['POST /api/v1/billing/subscription/cancel'],
  },
  {
    why: 'the address is confirmed already',
    expected: { owner: 409, stranger: 409, administrator: 409 },
    of: ['POST /api/v1/auth/email/send-code'],
  },
  {
    why: 'sent without a valid body, so that nothing is refunded',
    expected: { owner: 422, stranger: 422, administrator: 422 },
    of: ['POST /api/v1/billing/payments/{order_id}/refund'],
  },
  {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is stated or refunded',
    expected: { owner: 422 },
    of: [
      'POST /api/v1/billing/payments/{order_id}/withdrawal',
      'POST /api/v1/billing/withdrawals/{withdrawal_id}/confirm',
    ],
  },
  {
    why: 'who holds the link needs no account',
    expected: { nobody: 200 },
    of: ['GET /api/v1/upload-links/{token}', 'GET /api/v1/upload-links/{token}/status'],
  },
  {
    why: 'this system has no bot; with one, what lacks its secret is 401',
    expected: { nobody: 404 },
    of: ['POST /api/v1/tg/webhook/{bot_id}'],
  },
  {
    why: 'the token is that of an upload link',
    expected: { nobody: 404 },
    of: ['GET /api/v1/billing/renewals/{token}', 'POST /api/v1/billing/renewals/{token}/cancel'],
  },
  {
    why: 'whatever is sent is answered alike',
    expected: { nobody: 202 },
    of: ['POST /api/v1/analytics/collect'],
  },
  {
    why: 'sent without a valid body, so that nothing is changed',
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
    why: 'sent without a valid body, so that nothing is changed',
    expected: { nobody: 422 },
    of: [
      'POST /api/v1/upload-links/{token}/presign',
      'POST /api/v1/upload-links/{token}/complete',
      'POST /api/v1/upload-links/{token}/file',
    ],
  },
]

/** The same by endpoint. */
export const EXCEPTIONS: Record<string, { why: string; expected: Expected }> = Object.fromEntries(
  LISTED.flatMap(({ of, ...exception }) => of.map((endpoint) => [endpoint, exception])),
)
