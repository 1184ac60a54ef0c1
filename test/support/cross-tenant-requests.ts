import type { ErrorCode } from '../../edge/platform/errors/rules/table.ts'

/**
 * A request whose path, query, body, or form refers to an account's resources. `{name}` stands for a resource from
 * cross-tenant-resources.ts.
 */
export interface CrossTenantRequest {
  endpoint: string
  /** Path parameters that refer to a resource with a different name. */
  path?: Record<string, string>
  query?: string
  body?: object
  /** Form fields, sent along with the sender's own file. */
  form?: Record<string, string>
  /** The authorized sender, which by default is the owner of the resources. */
  by?: 'administrator'
  /**
   * Status for the authorized sender when the requests run in sequence: success, or a conflict with the resource's
   * state.
   */
  served: number
  /** Status and code for a stranger. They are the same for resources that do not exist. */
  refused: readonly [number, ErrorCode | null]
}

const JOB = [404, 'job_not_found'] as const
const BATCH = [404, 'batch_not_found'] as const
const SESSION = [404, 'upload_session_not_found'] as const
const SIGN_IN = [404, 'session_not_found'] as const
const PARTS = [404, 'upload_not_found'] as const
const FILE = [404, 'file_not_found'] as const
const ORDER = [404, 'order_not_found'] as const
const DELIVERY = [404, 'webhook_delivery_not_found'] as const
const ENDPOINT = [404, 'webhook_endpoint_not_found'] as const
const KEY = [404, 'api_key_not_found'] as const
const CONNECTION = [404, 'storage_connection_not_found'] as const
const NO_CONNECTION = [422, 'validation_failed'] as const
const ADMINISTRATORS = [403, 'administrator_required'] as const
const NO_FILE = [400, 'invalid_file_url'] as const

const RESIZE = { service_slug: 'image', operation_key: 'resize' }
const WATERMARK = { service_slug: 'image', operation_key: 'watermark' }
const SMALL = { ...RESIZE, params: { width: 16 } }
const ON_FILE = { ...RESIZE, params: { width: 16, file_url: '{file_url}' } }
const ON_RESULT = { ...RESIZE, params: { width: 16, file_url: '{result_url}' } }
const WITH_LOGO = { ...WATERMARK, params: { file_url: '{own_file_url}', logo_url: '{file_url}' } }
const LATER_LOGO = {
  ...RESIZE,
  params: {
    file_url: '{own_file_url}',
    width: 16,
    operations: [{ operation_key: 'watermark', params: { logo_url: '{file_url}' } }],
  },
}
const LINK_WITH_LOGO = { ...WATERMARK, params: { logo_url: '{file_url}' } }

const JOBS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/jobs/{job_id}', served: 200, refused: JOB },
  { endpoint: 'GET /api/v1/jobs/{job_id}/events', served: 200, refused: JOB },
  { endpoint: 'POST /api/v1/jobs/{job_id}/repeat', served: 201, refused: JOB },
  { endpoint: 'POST /api/v1/jobs/{job_id}/delivered', served: 200, refused: JOB },
  {
    endpoint: 'POST /api/v1/jobs/{job_id}/cancel',
    path: { job_id: '{open_job_id}' },
    served: 200,
    refused: JOB,
  },
  { endpoint: 'POST /api/v1/jobs', body: ON_FILE, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs', body: ON_RESULT, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs/api', body: WITH_LOGO, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs/api', body: LATER_LOGO, served: 201, refused: NO_FILE },
  {
    endpoint: 'POST /api/v1/jobs/upload',
    form: { ...WATERMARK, params: '{"logo_url": "{file_url}"}' },
    served: 201,
    refused: NO_FILE,
  },
  // A quote does not read the file.
  { endpoint: 'POST /api/v1/jobs/quote', body: ON_FILE, served: 200, refused: [200, null] },
  // This system has no bot. edge/messenger/delivery-links.test.ts tests strangers on a system with a bot.
  {
    endpoint: 'POST /api/v1/tg/deliver',
    body: { job_id: '{job_id}' },
    served: 503,
    refused: [503, 'messenger_not_configured'],
  },
]

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

const TEMPLATE = [404, 'template_not_found'] as const

const TEMPLATES: CrossTenantRequest[] = [
  {
    endpoint: 'POST /api/v1/templates/{template_name}/jobs',
    body: { file_url: '{file_url}' },
    served: 201,
    refused: TEMPLATE,
  },
  {
    endpoint: 'POST /api/v1/templates/{template_name}/batches',
    body: { file_urls: ['{file_url}'] },
    served: 201,
    refused: TEMPLATE,
  },
]

const STUDIO: CrossTenantRequest[] = [
  {
    endpoint: 'POST /api/v1/studio/run',
    body: { ...SMALL, file_url: '{file_url}' },
    served: 201,
    refused: NO_FILE,
  },
  { endpoint: 'POST /api/v1/studio/run', body: WITH_LOGO, served: 201, refused: NO_FILE },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, file_urls: ['{own_file_url}', '{file_url}'] },
    served: 201,
    refused: NO_FILE,
  },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, files: [{ url: '{result_url}' }] },
    served: 201,
    refused: NO_FILE,
  },
  { endpoint: 'GET /api/v1/studio/batches/{batch_id}', served: 200, refused: BATCH },
  {
    endpoint: 'POST /api/v1/studio/batches/{batch_id}/repeat',
    path: { batch_id: '{open_batch_id}' },
    served: 201,
    refused: BATCH,
  },
  {
    endpoint: 'POST /api/v1/studio/batches/{batch_id}/cancel',
    path: { batch_id: '{open_batch_id}' },
    served: 200,
    refused: BATCH,
  },
]

const UPLOADS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/uploads/download', query: 'url={file_url}', served: 200, refused: FILE },
  { endpoint: 'GET /api/v1/uploads/download', query: 'url={result_url}', served: 200, refused: FILE },
  {
    endpoint: 'POST /api/v1/uploads/multipart/sign-part',
    body: { upload_id: '{upload_id}', key: '{key}', part_number: 1 },
    served: 200,
    refused: PARTS,
  },
  {
    endpoint: 'POST /api/v1/uploads/s3/sign',
    body: { method: 'GET', upload_id: '{upload_id}', key: '{key}' },
    served: 200,
    refused: PARTS,
  },
  {
    endpoint: 'POST /api/v1/uploads/multipart/complete',
    body: { upload_id: '{upload_id}', key: '{key}', parts: [{ part_number: 1, etag: '{etag}' }] },
    served: 201,
    refused: PARTS,
  },
  // The response does not reveal whether the upload exists. The owner can still complete the upload, which shows
  // that it was not aborted.
  {
    endpoint: 'POST /api/v1/uploads/multipart/abort',
    body: { upload_id: '{upload_id}', key: '{key}' },
    served: 204,
    refused: [204, null],
  },
]

const IN_STORAGE = { ...RESIZE, params: { width: 16, file_url: '{storage_url}' } }
const TO_STORAGE = {
  ...RESIZE,
  params: { width: 16, file_url: '{own_file_url}' },
  output: { storage: '{connection_name}' },
}

const STORAGE: CrossTenantRequest[] = [
  { endpoint: 'POST /api/v1/jobs', body: IN_STORAGE, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs', body: TO_STORAGE, served: 201, refused: NO_CONNECTION },
  { endpoint: 'POST /api/v1/jobs/api', body: TO_STORAGE, served: 201, refused: NO_CONNECTION },
  {
    endpoint: 'POST /api/v1/studio/run',
    body: { ...TO_STORAGE, params: { width: 16 }, file_url: '{own_file_url}' },
    served: 201,
    refused: NO_CONNECTION,
  },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, file_urls: ['{own_file_url}'], output: { storage: '{connection_name}' } },
    served: 201,
    refused: NO_CONNECTION,
  },
  {
    endpoint: 'PATCH /api/v1/storage-connections/{connection_name}',
    body: { bucket: 'another-bucket' },
    served: 200,
    refused: CONNECTION,
  },
  { endpoint: 'POST /api/v1/storage-connections/{connection_name}/check', served: 200, refused: CONNECTION },
  { endpoint: 'DELETE /api/v1/storage-connections/{connection_name}', served: 204, refused: CONNECTION },
]

const LINKS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/upload-sessions/{session_id}', served: 200, refused: SESSION },
  { endpoint: 'DELETE /api/v1/upload-sessions/{session_id}', served: 204, refused: SESSION },
  // Referenced files are checked only after the link's own file has arrived, as in the requests below.
  { endpoint: 'POST /api/v1/upload-sessions', body: LINK_WITH_LOGO, served: 201, refused: [201, null] },
  { endpoint: 'POST /api/v1/upload-sessions/api', body: LINK_WITH_LOGO, served: 201, refused: [201, null] },
  // Uses the sender's own link, whose params refer to the file. The holder of the link does not see the params.
  {
    endpoint: 'POST /api/v1/upload-links/{token}/file',
    path: { token: '{logo_token}' },
    form: {},
    served: 201,
    refused: [400, 'upload_link_failed'],
  },
  // Uses the sender's own link with the key of an upload that was started through another link.
  {
    endpoint: 'POST /api/v1/upload-links/{token}/complete',
    path: { token: '{begun_token}' },
    body: { key: '{begun_key}' },
    served: 201,
    refused: [409, 'upload_superseded'],
  },
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
  ...[...JOBS, ...WEBHOOKS, ...STUDIO, ...TEMPLATES, ...UPLOADS, ...STORAGE, ...LINKS],
  ...[...MONEY, ...ADMINISTRATION, ...DELETIONS, ...KEYS],
]

/** Endpoints whose input names look like references to owned resources, grouped by the reason they are not. */
export const WITHOUT_OWNED_RESOURCES: Record<string, readonly string[]> = {
  'operations, packs, plans and promotions have no owner': [
    'GET /api/v1/jobs',
    'GET /api/v1/studio/batches',
    'POST /api/v1/me/favorites',
    'PATCH /api/v1/me/favorites/reorder',
    'DELETE /api/v1/me/favorites/{operation_id}',
    'GET /api/v1/billing/bundle-quote',
    'POST /api/v1/billing/checkout',
    'POST /api/v1/billing/subscribe',
    'PATCH /api/v1/admin/operations/{operation_id}',
    'PATCH /api/v1/admin/packages/{package_id}',
    'PATCH /api/v1/admin/plans/{plan_id}',
    'POST /api/v1/admin/promotions',
    'PATCH /api/v1/admin/promotions/{promotion_id}',
    'POST /api/v1/admin/promotions/{promotion_id}/retire',
  ],
  'an unmatched event has no owner': ['POST /api/v1/admin/unmatched-events/{event_id}/settle'],
  'a VAT ID names no resource': ['PUT /api/v1/billing/details'],
  'the holder of a link needs no account': [
    'GET /api/v1/billing/renewals/{token}',
    'POST /api/v1/billing/renewals/{token}/cancel',
    'GET /api/v1/billing/receipts/{token}',
    'GET /api/v1/billing/receipts/{token}/invoice',
    'GET /api/v1/upload-links/{token}',
    'GET /api/v1/upload-links/{token}/status',
    'POST /api/v1/upload-links/{token}/presign',
    'POST /api/v1/auth/password/reset',
  ],
  'the URL of a webhook endpoint is a server of the sender': ['POST /api/v1/webhooks/endpoints'],
  'a template is saved in the account of the sender': ['PUT /api/v1/templates/{template_name}'],
  'the request contains the file': ['POST /api/v1/uploads'],
  'the request contains the credentials': ['POST /api/v1/storage-connections'],
  'the sender authenticates with a signature or a secret': [
    'POST /api/v1/billing/callbacks/{provider}',
    'POST /api/v1/tg/webhook/{bot_id}',
  ],
  'the sender gives their own address or a form token': [
    'POST /api/v1/auth/register',
    'POST /api/v1/auth/login',
    'POST /api/v1/auth/email/check',
    'POST /api/v1/auth/password/reset-request',
    'POST /api/v1/public/feedback',
    'POST /api/v1/analytics/collect',
  ],
}
