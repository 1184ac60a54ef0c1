import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'

const rows = z.array(z.looseObject({}))

export const AccountExport = z
  .object({
    exported_at: Timestamp,
    account: rows.describe('One row'),
    notifications: rows.describe('The email preferences; one row, once the address is confirmed'),
    favorites: rows,
    api_keys: rows.describe('Without the keys, which are not stored'),
    allowed_origins: rows,
    jobs: rows,
    batches: rows,
    uploads: rows,
    upload_sessions: rows,
    messenger_links: rows,
    storage_connections: rows,
    webhook_endpoints: rows,
    webhook_deliveries: rows,
    ledger: rows,
    grants: rows,
    orders: rows,
    subscriptions: rows,
    subscription_months: rows,
    price_locks: rows,
    refunds: rows,
    withdrawals: rows,
    usage_events: rows,
    usage_days: rows,
    request_logs: rows,
  })
  .openapi('AccountExport')
