import type { CrossTenantRequest } from './cross-tenant-request.ts'

const ORDER = [404, 'order_not_found'] as const
const DELIVERY = [404, 'webhook_delivery_not_found'] as const
const ENDPOINT = [404, 'webhook_endpoint_not_found'] as const
const ADMINISTRATORS = [403, 'administrator_required'] as const

const WEBHOOKS: CrossTenantRequest[] = [
  // Filters by a stranger's resources return an empty list.
  ...['endpoint_id', 'job_id'].map((filter) => ({
    endpoint: 'GET /api/v1/webhooks/deliveries',
    query: `${filter}={${filter}}`,
    served: 200,
    refused: [200, null] as const,
  })),
  { endpoint: 'GET /api/v1/webhooks/deliveries/{delivery_id}', served: 200, refused: DELIVERY },
  { endpoint: 'POST /api/v1/webhooks/deliveries/{delivery_id}/replay', served: 202, refused: DELIVERY },
  { endpoint: 'GET /api/v1/webhooks/endpoints/{endpoint_id}', served: 200, refused: ENDPOINT },
  {
    endpoint: 'PATCH /api/v1/webhooks/endpoints/{endpoint_id}',
    body: { enabled: false },
    served: 200,
    refused: ENDPOINT,
  },
  { endpoint: 'GET /api/v1/webhooks/endpoints/{endpoint_id}/secret', served: 200, refused: ENDPOINT },
  { endpoint: 'POST /api/v1/webhooks/endpoints/{endpoint_id}/secret', served: 200, refused: ENDPOINT },
  { endpoint: 'POST /api/v1/webhooks/endpoints/{endpoint_id}/test', served: 200, refused: ENDPOINT },
  { endpoint: 'DELETE /api/v1/webhooks/endpoints/{endpoint_id}', served: 204, refused: ENDPOINT },
]

const MONEY: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/billing/payments/{order_id}/refund-quote', served: 200, refused: ORDER },
  { endpoint: 'POST /api/v1/billing/payments/{order_id}/withdrawal', served: 201, refused: ORDER },
  {
    endpoint: 'POST /api/v1/billing/withdrawals/{withdrawal_id}/confirm',
    served: 200,
    refused: [404, 'withdrawal_not_found'],
  },
  // The withdrawal is already being refunded.
  {
    endpoint: 'POST /api/v1/billing/payments/{order_id}/refund',
    body: { note: 'Please.' },
    served: 409,
    refused: ORDER,
  },
]

const by = 'administrator'

/** Requests for any account's resources, which only administrators may send. */
const ADMINISTRATION: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/admin/accounts/{account_id}', by, served: 200, refused: ADMINISTRATORS },
  {
    endpoint: 'PATCH /api/v1/admin/accounts/{account_id}',
    body: { payments_enabled: true },
    by,
    served: 200,
    refused: ADMINISTRATORS,
  },
  {
    endpoint: 'GET /api/v1/admin/jobs',
    query: 'account_id={account_id}',
    by,
    served: 200,
    refused: ADMINISTRATORS,
  },
  {
    endpoint: 'GET /api/v1/admin/audit',
    query: 'administrator_id={account_id}',
    by,
    served: 200,
    refused: ADMINISTRATORS,
  },
  // The job has ended.
  { endpoint: 'POST /api/v1/admin/jobs/{job_id}/cancel', by, served: 409, refused: ADMINISTRATORS },
  {
    endpoint: 'POST /api/v1/admin/tokens/{token_id}/revoke',
    path: { token_id: '{other_token_id}' },
    by,
    served: 200,
    refused: ADMINISTRATORS,
  },
  // The refund is not a manual payout.
  ...['approve', 'reject'].map(
    (decision) =>
      ({
        endpoint: `POST /api/v1/admin/refunds/{refund_id}/${decision}`,
        body: { note: 'Sent.' },
        by,
        served: 409,
        refused: ADMINISTRATORS,
      }) as const,
  ),
  // The order is fully paid.
  {
    endpoint: 'POST /api/v1/billing/admin/payments/{order_id}/resolve',
    body: { action: 'full_grant' },
    by,
    served: 409,
    refused: ADMINISTRATORS,
  },
  {
    endpoint: 'POST /api/v1/billing/admin/topup',
    body: { account_id: '{account_id}', credits: 1 },
    by,
    served: 200,
    refused: ADMINISTRATORS,
  },
]

/** Requests that refer to webhooks, orders or other accounts, in order. */
export const ACCOUNT_REQUESTS: readonly CrossTenantRequest[] = [...WEBHOOKS, ...MONEY, ...ADMINISTRATION]
