/** Endpoint groups in the OpenAPI document, in the order in which the documentation lists them. */
export const TAGS = {
  Jobs: 'Submit, follow, cancel and repeat jobs on one file or link.',
  Uploads: 'Upload files: through the API, directly to storage, or in parts.',
  'Storage connections': 'Connect your own buckets: jobs import from them and export to them.',
  Studio: 'List the operations, and run them from a web page, for one file or for a batch.',
  Templates: 'Save chains of operations, and run them by name.',
  'Upload links': 'Create links with which people without an account send the file of a job.',
  Webhooks: 'Manage endpoints and signing secrets, and list and replay webhook deliveries.',
  Messenger: 'Deliver round videos to a messenger chat.',
  'Accounts and sign-in': 'Registration, sign-in, password, email address and identity providers.',
  'API keys': 'Create, pause and delete API keys.',
  'Caller info': 'Read and change what belongs to the caller: usage, features, favorites, notifications.',
  Billing: 'Balance, ledger, prices, orders and renewals.',
  Refunds: 'Refunds and withdrawals from an order.',
  Statistics: 'Usage by day and by operation, and request logs.',
  Public: 'Public config, feedback and web analytics, without an account.',
  Health: 'Liveness and readiness checks for load balancers and monitors.',
  Administration: 'For administrators: accounts, catalog, settings, refunds and the audit log.',
  'Billing administration': 'For administrators: payments, and events that match no order.',
} as const satisfies Record<string, string>

export type Tag = keyof typeof TAGS
