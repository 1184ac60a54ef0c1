import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'

const rows = z.array(z.looseObject({})).openapi({ example: [{ id: 17 }] })

export const AccountExport = z
  .object({
    exported_at: Timestamp.describe('Time of the export'),
    account: rows.describe('One row'),
    notifications: rows.describe('The email preferences; one row, once the address is confirmed'),
    favorites: rows.describe('Favorite operations'),
    sessions: rows.describe('Where the account is signed in'),
    api_keys: rows.describe('Without the keys, which are not stored'),
    allowed_origins: rows.describe('Origins from which browsers may call the API'),
    templates: rows.describe('Job templates'),
    template_versions: rows.describe('All versions of the templates'),
    jobs: rows.describe('Jobs'),
    batches: rows.describe('Batches'),
    uploads: rows.describe('Uploaded files'),
    upload_sessions: rows.describe('Upload sessions'),
    messenger_links: rows.describe('Links to a messenger chat'),
    storage_connections: rows.describe('Connections to your own storage'),
    webhook_endpoints: rows.describe('Webhook endpoints'),
    webhook_deliveries: rows.describe('Webhook deliveries'),
    ledger: rows.describe('Every change of the balance'),
    grants: rows.describe('Granted credits'),
    orders: rows.describe('Orders'),
    billing_details: rows.describe('Billing details; one row, if there are any'),
    receipts: rows.describe('Receipts and credit notes'),
    subscriptions: rows.describe('Terms of plans'),
    subscription_months: rows.describe('Monthly allowances'),
    price_locks: rows.describe('Locked prices'),
    refunds: rows.describe('Refunds'),
    withdrawals: rows.describe('Withdrawals'),
    usage_events: rows.describe('Usage events'),
    usage_days: rows.describe('Usage by day'),
    request_logs: rows.describe('Requests to the API'),
  })
  .openapi('AccountExport')
