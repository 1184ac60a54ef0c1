import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { jsonText } from '../platform/database/json-text.ts'
import {
  accounts,
  allowedOrigins,
  apiKeys,
  batches,
  billingDetails,
  emailPreferences,
  favorites,
  grants,
  jobs,
  ledger,
  messengerLinks,
  orders,
  priceLocks,
  receipts,
  refunds,
  requestLogs,
  sessions,
  storageConnections,
  subscriptions,
  templates,
  templateVersions,
  termMonths,
  uploadSessions,
  uploads,
  usageDays,
  usageEvents,
  webhookDeliveries,
  webhookEndpoints,
  withdrawals,
} from '../tables.ts'

/**
 * Columns by their names in the export. Secrets, hashes and internal bookkeeping are not listed, so they are not
 * exported.
 */
export type Columns = Record<string, SQLiteColumn | SQL>

/** Reads a time as ISO 8601. */
const iso = (column: SQLiteColumn): SQL<string | null> =>
  sql`${column}`.mapWith((ms: number) => new Date(ms).toISOString())

export const ACCOUNT: Columns = {
  id: accounts.id,
  email: accounts.email,
  full_name: accounts.fullName,
  email_verified_at: iso(accounts.emailVerifiedAt),
  has_password: sql`${accounts.passwordHash} IS NOT NULL`.mapWith(Boolean),
  identity_issuer: accounts.idpIssuer,
  identity_subject: accounts.idpSubject,
  is_admin: accounts.isAdmin,
  payments_enabled: accounts.paymentsEnabled,
  locale: accounts.locale,
  subscribed_at: iso(accounts.subscribedAt),
  created_at: iso(accounts.createdAt),
}

export const NOTIFICATIONS: Columns = {
  job_notifications: emailPreferences.jobNotifications,
  product_news: emailPreferences.productNews,
}

export const FAVORITES: Columns = {
  operation_id: favorites.operationId,
  position: favorites.position,
  created_at: iso(favorites.createdAt),
}

export const SESSIONS: Columns = {
  id: sessions.id,
  device: sessions.device,
  network: sessions.network,
  created_at: iso(sessions.createdAt),
  last_used_at: iso(sessions.lastUsedAt),
  expires_at: iso(sessions.expiresAt),
}

export const API_KEYS: Columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  enabled: apiKeys.enabled,
  revoked_at: iso(apiKeys.revokedAt),
  max_per_day: apiKeys.maxPerDay,
  last_used_at: iso(apiKeys.lastUsedAt),
  created_at: iso(apiKeys.createdAt),
}

export const TEMPLATES: Columns = {
  name: templates.name,
  description: templates.description,
  version: templates.version,
  created_at: iso(templates.createdAt),
  updated_at: iso(templates.updatedAt),
}

export const TEMPLATE_VERSIONS: Columns = {
  name: templateVersions.name,
  version: templateVersions.version,
  service_slug: templateVersions.serviceSlug,
  operations: templateVersions.operations,
  created_at: iso(templateVersions.createdAt),
}

export const JOBS: Columns = {
  id: jobs.id,
  key_id: jobs.keyId,
  batch_id: jobs.batchId,
  service_slug: jobs.serviceSlug,
  operation_key: jobs.operationKey,
  filename: jsonText(jobs.dispatch, 'filename'),
  params: jobs.params,
  source: jobs.source,
  status: jobs.status,
  estimated_cost: jobs.estimatedCost,
  final_cost: jobs.finalCost,
  processing_ms: jobs.processingMs,
  error: jobs.error,
  error_code: jobs.errorCode,
  result: jobs.result,
  webhook_url: jobs.webhookUrl,
  output: jobs.output,
  template: jobs.template,
  tag: jobs.tag,
  metadata: jobs.metadata,
  repeat_of: jobs.repeatOf,
  created_at: iso(jobs.createdAt),
  started_at: iso(jobs.startedAt),
  finished_at: iso(jobs.finishedAt),
  result_expires_at: iso(jobs.expiresAt),
  result_purged_at: iso(jobs.purgedAt),
}

export const BATCHES: Columns = {
  id: batches.id,
  service_slug: batches.serviceSlug,
  operation_key: batches.operationKey,
  params: batches.params,
  total: batches.total,
  stopped: batches.stopped,
  error: batches.error,
  webhook_url: batches.webhookUrl,
  template: batches.template,
  tag: batches.tag,
  metadata: batches.metadata,
  repeat_of: batches.repeatOf,
  created_at: iso(batches.createdAt),
}

export const UPLOADS: Columns = {
  key: uploads.key,
  filename: uploads.filename,
  content_type: uploads.contentType,
  size_bytes: uploads.sizeBytes,
  kind: uploads.kind,
  duration_seconds: uploads.durationSeconds,
  created_at: iso(uploads.createdAt),
  expires_at: iso(uploads.expiresAt),
  deleted_at: iso(uploads.deletedAt),
}

export const UPLOAD_SESSIONS: Columns = {
  id: uploadSessions.id,
  status: uploadSessions.status,
  service_slug: uploadSessions.serviceSlug,
  operation_key: uploadSessions.operationKey,
  params: uploadSessions.params,
  allowed_mime_types: uploadSessions.allowedMimeTypes,
  max_size_bytes: uploadSessions.maxSizeBytes,
  webhook_url: uploadSessions.webhookUrl,
  note: uploadSessions.note,
  tag: uploadSessions.tag,
  metadata: uploadSessions.metadata,
  job_id: uploadSessions.jobId,
  error: uploadSessions.error,
  created_at: iso(uploadSessions.createdAt),
  expires_at: iso(uploadSessions.expiresAt),
}

export const MESSENGER_LINKS: Columns = {
  bot_id: messengerLinks.botId,
  job_id: messengerLinks.jobId,
  created_at: iso(messengerLinks.createdAt),
  expires_at: iso(messengerLinks.expiresAt),
  used_at: iso(messengerLinks.usedAt),
}

export const STORAGE_CONNECTIONS: Columns = {
  name: storageConnections.name,
  endpoint: storageConnections.endpoint,
  region: storageConnections.region,
  bucket: storageConnections.bucket,
  prefix: storageConnections.prefix,
  access_key_id: storageConnections.accessKeyId,
  created_at: iso(storageConnections.createdAt),
  updated_at: iso(storageConnections.updatedAt),
}

export const WEBHOOK_ENDPOINTS: Columns = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  events: webhookEndpoints.events,
  enabled: webhookEndpoints.enabled,
  disabled_reason: webhookEndpoints.disabledReason,
  created_at: iso(webhookEndpoints.createdAt),
}

export const ALLOWED_ORIGINS: Columns = {
  origin: allowedOrigins.origin,
}

export const WEBHOOK_DELIVERIES: Columns = {
  id: webhookDeliveries.id,
  endpoint_id: webhookDeliveries.endpointId,
  subject_id: webhookDeliveries.subjectId,
  type: webhookDeliveries.type,
  url: webhookDeliveries.url,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  response_status: webhookDeliveries.responseStatus,
  error: webhookDeliveries.error,
  created_at: iso(webhookDeliveries.createdAt),
}

export const LEDGER: Columns = {
  id: ledger.id,
  sequence: ledger.sequence,
  entry_type: ledger.entryType,
  amount: ledger.amount,
  balance_after: ledger.balanceAfter,
  expires_at: iso(ledger.expiresAt),
  job_id: ledger.jobId,
  order_id: ledger.orderId,
  note: ledger.note,
  created_at: iso(ledger.createdAt),
}

export const GRANTS: Columns = {
  sequence: grants.sequence,
  kind: grants.kind,
  amount: grants.amount,
  left: grants.left,
  expires_at: iso(grants.expiresAt),
  granted_at: iso(grants.grantedAt),
}

export const ORDERS: Columns = {
  order_id: orders.id,
  kind: orders.kind,
  status: orders.status,
  provider: orders.provider,
  item_name: orders.itemName,
  credits: orders.credits,
  months: orders.months,
  bundle_item_name: orders.bundleItemName,
  bundle_credits: orders.bundleCredits,
  bundle_amount_cents: orders.bundleAmountCents,
  amount_cents: orders.amountCents,
  currency: orders.currency,
  actually_paid_cents: orders.actuallyPaidCents,
  total_cents: orders.totalCents,
  tax_cents: orders.taxCents,
  total_currency: orders.totalCurrency,
  auto_renew: orders.autoRenew,
  consent_locale: orders.consentLocale,
  terms_version: orders.termsVersion,
  accepted_documents: orders.acceptedDocuments,
  created_at: iso(orders.createdAt),
  credited_at: iso(orders.creditedAt),
}

export const BILLING_DETAILS: Columns = {
  name: billingDetails.name,
  address: billingDetails.address,
  postal_code: billingDetails.postalCode,
  city: billingDetails.city,
  country: billingDetails.country,
  vat_id: billingDetails.vatId,
}

export const RECEIPTS: Columns = {
  series: receipts.series,
  number: receipts.number,
  order_id: receipts.orderId,
  refund_id: receipts.refundId,
  locale: receipts.locale,
  content: receipts.content,
  issued_at: iso(receipts.issuedAt),
}

export const SUBSCRIPTIONS: Columns = {
  id: subscriptions.id,
  plan_id: subscriptions.planId,
  started_at: iso(subscriptions.startedAt),
  period_end: iso(subscriptions.periodEnd),
  renewal_status: subscriptions.renewalStatus,
  provider: subscriptions.provider,
  renewal_amount_cents: subscriptions.renewalAmountCents,
  renewal_currency: subscriptions.renewalCurrency,
  renewal_months: subscriptions.renewalMonths,
  renews_at: iso(subscriptions.renewsAt),
  grace_until: iso(subscriptions.graceUntil),
  consent_locale: subscriptions.consentLocale,
  ended_at: iso(subscriptions.endedAt),
}

export const TERM_MONTHS: Columns = {
  subscription_id: termMonths.subscriptionId,
  number: termMonths.number,
  order_id: termMonths.orderId,
  credits: termMonths.credits,
  starts_at: iso(termMonths.startsAt),
  ends_at: iso(termMonths.endsAt),
  delivered: sql`${termMonths.grantSequence} IS NOT NULL`.mapWith(Boolean),
  withdrawn_by: termMonths.withdrawnBy,
}

export const PRICE_LOCKS: Columns = {
  plan_id: priceLocks.planId,
  monthly_rate_cents: priceLocks.monthlyRateCents,
  credits_per_month: priceLocks.creditsPerMonth,
  locked_at: iso(priceLocks.lockedAt),
}

export const REFUNDS: Columns = {
  id: refunds.id,
  order_id: refunds.orderId,
  status: refunds.status,
  reason: refunds.reason,
  amount_cents: refunds.amountCents,
  currency: refunds.currency,
  credits_removed: refunds.creditsRemoved,
  note: refunds.note,
  created_at: iso(refunds.createdAt),
  finished_at: iso(refunds.finishedAt),
}

export const WITHDRAWALS: Columns = {
  id: withdrawals.id,
  order_id: withdrawals.orderId,
  statement: withdrawals.statement,
  stated_at: iso(withdrawals.statedAt),
  confirmed_at: iso(withdrawals.confirmedAt),
  refund_id: withdrawals.refundId,
}

export const USAGE_EVENTS: Columns = {
  id: usageEvents.id,
  source: usageEvents.source,
  action: usageEvents.action,
  service_slug: usageEvents.serviceSlug,
  operation_key: usageEvents.operationKey,
  job_id: usageEvents.jobId,
  credits: usageEvents.credits,
  created_at: iso(usageEvents.createdAt),
}

export const USAGE_DAYS: Columns = {
  date: sql`${usageDays.day}`.mapWith((day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
  service_slug: usageDays.serviceSlug,
  operation_key: usageDays.operationKey,
  submissions: usageDays.submissions,
  done: usageDays.done,
  failed: usageDays.failed,
  canceled: usageDays.canceled,
  spent: usageDays.spent,
  refunded: usageDays.refunded,
  processing_ms: usageDays.processingMs,
}

export const REQUEST_LOGS: Columns = {
  request_id: requestLogs.requestId,
  key_id: requestLogs.keyId,
  method: requestLogs.method,
  path: requestLogs.path,
  status: requestLogs.status,
  duration_ms: requestLogs.durationMs,
  source: requestLogs.source,
  ip_hash: requestLogs.ipHash,
  created_at: iso(requestLogs.createdAt),
}
