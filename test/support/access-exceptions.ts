import type { Who } from './access-states.ts'

type Expected = Partial<Record<Who | 'nobody', number>>

/** Endpoints whose answer to those who are let in is not what the document and the matrix's rules say. */
export const EXCEPTIONS: Record<string, { why: string; expected: Expected }> = {
  'GET /api/v1/jobs/{job_id}': {
    why: 'administrators see all jobs',
    expected: { administrator: 200 },
  },
  'GET /api/v1/jobs/{job_id}/events': {
    why: 'administrators see all jobs',
    expected: { administrator: 200 },
  },
  'POST /api/v1/jobs/{job_id}/cancel': {
    why: 'the job is over',
    expected: { owner: 409, administrator: 409 },
  },
  'POST /api/v1/jobs/{job_id}/repeat': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is charged; administrators see all jobs',
    expected: { owner: 422, administrator: 422 },
  },
  'POST /api/v1/jobs/{job_id}/delivered': {
    why: 'who has no account may know the id of a job without one, so that it must not tell them apart',
    expected: { nobody: 404 },
  },
  'GET /api/v1/studio/batches/{batch_id}': {
    why: 'administrators see all batches',
    expected: { administrator: 200 },
  },
  'POST /api/v1/studio/batches/{batch_id}/cancel': {
    why: 'the batch is over',
    expected: { owner: 409, administrator: 409 },
  },
  'POST /api/v1/studio/batches/{batch_id}/repeat': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is charged; administrators see all batches',
    expected: { owner: 422, administrator: 422 },
  },
  'POST /api/v1/tokens/{token_id}/toggle': {
    why: 'an administrator revoked the key',
    expected: { owner: 403 },
  },
  'DELETE /api/v1/tokens/{token_id}': {
    why: 'an administrator revoked the key',
    expected: { owner: 403 },
  },
  'DELETE /api/v1/me/favorites/{operation_id}': {
    why: "it is everybody's own list that this unpins from",
    expected: { stranger: 204, administrator: 204 },
  },
  'POST /api/v1/billing/subscription/cancel': {
    why: 'nothing renews itself',
    expected: { owner: 409, stranger: 409, administrator: 409 },
  },
  'POST /api/v1/billing/payments/{order_id}/refund': {
    why: 'sent without a valid body, so that nothing is refunded',
    expected: { owner: 422, stranger: 422, administrator: 422 },
  },
  'POST /api/v1/billing/payments/{order_id}/withdrawal': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is stated',
    expected: { owner: 422 },
  },
  'POST /api/v1/billing/withdrawals/{withdrawal_id}/confirm': {
    why: 'sent with an Idempotency-Key that is too long, so that nothing is refunded',
    expected: { owner: 422 },
  },
  'GET /api/v1/admin/accounts/{account_id}': {
    why: 'administrators see all accounts',
    expected: { administrator: 200 },
  },
  'POST /api/v1/admin/tokens/{token_id}/revoke': {
    why: 'an administrator revokes every key',
    expected: { administrator: 200 },
  },
  'POST /api/v1/admin/jobs/{job_id}/cancel': {
    why: 'the job is over',
    expected: { administrator: 409 },
  },
  'GET /api/v1/upload-links/{token}': {
    why: 'who holds the link needs no account',
    expected: { nobody: 200 },
  },
  'GET /api/v1/upload-links/{token}/status': {
    why: 'who holds the link needs no account',
    expected: { nobody: 200 },
  },
  'POST /api/v1/tg/webhook/{bot_id}': {
    why: 'this system has no bot; with one, what lacks its secret is 401',
    expected: { nobody: 404 },
  },
  'POST /api/v1/analytics/collect': {
    why: 'whatever is sent is answered alike',
    expected: { nobody: 202 },
  },
  'POST /api/v1/auth/email/send-code': {
    why: 'the address is confirmed already',
    expected: { owner: 409, stranger: 409, administrator: 409 },
  },
}

const UNCHANGED = 'sent without a valid body, so that nothing is changed'

for (const item of [
  'PATCH /api/v1/admin/accounts/{account_id}',
  'PATCH /api/v1/admin/operations/{operation_id}',
  'PATCH /api/v1/admin/packages/{package_id}',
  'PATCH /api/v1/admin/plans/{plan_id}',
  'PATCH /api/v1/admin/promotions/{promotion_id}',
  'POST /api/v1/admin/refunds/{refund_id}/approve',
  'POST /api/v1/admin/refunds/{refund_id}/reject',
  'POST /api/v1/billing/admin/payments/{order_id}/resolve',
]) {
  EXCEPTIONS[item] = { why: UNCHANGED, expected: { administrator: 422 } }
}

for (const what of ['presign', 'complete', 'file']) {
  EXCEPTIONS[`POST /api/v1/upload-links/{token}/${what}`] = { why: UNCHANGED, expected: { nobody: 422 } }
}
