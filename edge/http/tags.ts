/** Groups of endpoints in the OpenAPI document, in the order of the documentation. */
export const TAGS = {
  Jobs: 'Submit, follow, cancel and repeat jobs on one file or link.',
  Uploads: 'Send files: through the API, directly to storage, or in parts.',
  Studio: 'List the operations, and run them from a web page, for one file or for a batch.',
  'Upload links': 'Let somebody else send the file of a job, without an account.',
  Webhooks: 'The secret that signs webhooks, and what was delivered.',
  Messenger: 'Deliver round videos to a chat.',
  'Accounts and sign-in': 'Registration, sign-in, password, email address and identity providers.',
  'API keys': 'Create, pause and delete the keys of programs.',
  'Caller info': 'What the service knows of the caller: usage, features, favorites, notifications.',
  Billing: 'Balance, ledger, prices, orders and renewals.',
  Refunds: 'Refunds and withdrawals from an order.',
  Statistics: 'Usage of the account by day and by operation.',
  Public: 'What pages of the service read and send without an account.',
  Health: 'Checks for load balancers and monitors.',
  Administration: 'For administrators: accounts, catalog, settings, refunds and the audit log.',
  'Billing administration': 'For administrators: payments, and events that match no order.',
} as const satisfies Record<string, string>

export type Tag = keyof typeof TAGS
