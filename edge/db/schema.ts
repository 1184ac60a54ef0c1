import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { JOB_STATES } from '../rules/jobs.ts'
import { ENTRY_TYPES, GRANT_KINDS } from '../rules/ledger.ts'
import { LOCALES } from '../rules/locale.ts'

/** Times are integers: milliseconds since 1970 in UTC. Credits and cents are integers too. */
const time = (name: string) => integer(name)
const flag = (name: string) => integer(name, { mode: 'boolean' })
const json = (name: string) => text(name, { mode: 'json' })

export const accounts = sqliteTable(
  'accounts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** As the person wrote it, for letters. */
    email: text('email').notNull(),
    /** Lower case, for comparing. */
    emailKey: text('email_key').notNull().unique(),
    fullName: text('full_name'),
    passwordHash: text('password_hash'),
    emailVerifiedAt: time('email_verified_at'),
    isAdmin: flag('is_admin').notNull().default(false),
    paymentsEnabled: flag('payments_enabled').notNull().default(true),
    blockedAt: time('blocked_at'),
    locale: text('locale', { enum: LOCALES }).notNull().default('en'),
    /** Sessions made before the last increase are over, all but the one that asked for it. */
    sessionEpoch: integer('session_epoch').notNull().default(1),
    keptSession: text('kept_session'),
    /** Who the account is to the identity provider, where it is linked. */
    idpIssuer: text('idp_issuer'),
    idpSubject: text('idp_subject'),
    /** Since when letters on jobs and news go to this address; confirming it begins that. */
    subscribedAt: time('subscribed_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [unique('accounts_identity').on(table.idpIssuer, table.idpSubject)],
)

/** Confirmation codes that were sent; the newest one counts. The primary key lets one of two sends through. */
export const emailCodes = sqliteTable(
  'email_codes',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    number: integer('number').notNull(),
    hash: text('hash').notNull(),
    guesses: integer('guesses').notNull().default(0),
    sentAt: time('sent_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.number] })],
)

/** Sign-ins that are under way at the identity provider. A row is taken out when its answer comes back. */
export const idpFlows = sqliteTable(
  'idp_flows',
  {
    state: text('state').primaryKey(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    /** SHA-256 of the secret that the browser which began it keeps in a cookie. */
    browserHash: text('browser_hash').notNull(),
    mode: text('mode', { enum: ['login', 'link'] }).notNull(),
    next: text('next').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('idp_flows_expiry').on(table.expiresAt)],
)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name'),
    /** The first characters of the plaintext, by which a person recognises the key. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the plaintext, hexadecimal. The plaintext has 192 random bits, so no salt is needed. */
    hash: text('hash').notNull().unique(),
    enabled: flag('enabled').notNull().default(true),
    revokedAt: time('revoked_at'),
    maxPerDay: integer('max_per_day').notNull().default(0),
    lastUsedAt: time('last_used_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('api_keys_account').on(table.accountId)],
)

/** What administrators change of an operation at run time; all else is in shared/operations. */
export const operations = sqliteTable(
  'operations',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    enabled: flag('enabled').notNull(),
    creditsPerCall: integer('credits_per_call').notNull(),
    presets: json('presets').notNull(),
  },
  (table) => [unique('operations_address').on(table.serviceSlug, table.operationKey)],
)

export const plans = sqliteTable(
  'plans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    priceCents: integer('price_cents').notNull(),
    currency: text('currency').notNull(),
    periodCredits: integer('period_credits').notNull(),
    periodDays: integer('period_days').notNull(),
    /** A smaller one is served first; see rules/limits.ts. */
    priority: integer('priority').notNull(),
    requestsPerMinute: integer('requests_per_minute').notNull(),
    requestsPerDay: integer('requests_per_day').notNull(),
    inFlightMax: integer('in_flight_max').notNull(),
    /** Its jobs are held back for a while before they queue. */
    throttled: flag('throttled').notNull().default(false),
    retiredAt: time('retired_at'),
  },
  (table) => [check('plans_positive', sql`${table.priceCents} > 0 AND ${table.periodCredits} > 0`)],
)

/** Packs; the interface calls them packages. */
export const packages = sqliteTable(
  'packages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    credits: integer('credits').notNull(),
    priceCents: integer('price_cents').notNull(),
    currency: text('currency').notNull(),
    retiredAt: time('retired_at'),
  },
  (table) => [check('packages_positive', sql`${table.priceCents} > 0 AND ${table.credits} > 0`)],
)

/** Only what differs from the defaults in rules/settings.ts. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: json('value').notNull(),
})

/** Append-only; triggers refuse UPDATE and DELETE. One account's rows are numbered without a gap. */
export const ledger = sqliteTable(
  'ledger',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** A writer that lost a race takes a number that is taken, and its whole batch is undone. */
    sequence: integer('sequence').notNull(),
    entryType: text('entry_type', {
      enum: ENTRY_TYPES,
    }).notNull(),
    amount: integer('amount').notNull(),
    balanceAfter: integer('balance_after').notNull(),
    expiresAt: time('expires_at'),
    jobId: text('job_id'),
    orderId: text('order_id'),
    note: text('note'),
    /** Names the one cause of this entry, so that the same cause can't be booked twice. */
    cause: text('cause').notNull().unique(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('ledger_order').on(table.accountId, table.sequence),
    index('ledger_job').on(table.jobId),
    check('ledger_balance', sql`${table.balanceAfter} >= 0`),
  ],
)

/** Credits that were given, and what is left of them. A grant is known by the ledger entry that made it. */
export const grants = sqliteTable(
  'grants',
  {
    accountId: integer('account_id').notNull(),
    sequence: integer('sequence').notNull(),
    kind: text('kind', {
      enum: GRANT_KINDS,
    }).notNull(),
    amount: integer('amount').notNull(),
    left: integer('left').notNull(),
    expiresAt: time('expires_at'),
    grantedAt: time('granted_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.sequence] }),
    foreignKey({
      columns: [table.accountId, table.sequence],
      foreignColumns: [ledger.accountId, ledger.sequence],
    }),
    index('grants_live').on(table.accountId, table.expiresAt).where(sql`"left" > 0`),
    check('grants_left', sql`${table.left} >= 0 AND ${table.left} <= ${table.amount}`),
  ],
)

/** What an entry took from (negative) or gave to (positive) which grant. Append-only. */
export const allocations = sqliteTable(
  'allocations',
  {
    accountId: integer('account_id').notNull(),
    sequence: integer('sequence').notNull(),
    grantSequence: integer('grant_sequence').notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.sequence, table.grantSequence] }),
    foreignKey({
      columns: [table.accountId, table.sequence],
      foreignColumns: [ledger.accountId, ledger.sequence],
    }),
    check('allocations_amount', sql`${table.amount} <> 0`),
  ],
)

export const jobs = sqliteTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    /** null: an anonymous caller's job, whose id is the capability to read it. */
    accountId: integer('account_id').references(() => accounts.id),
    /** The API key it was submitted with, if any. */
    keyId: integer('key_id'),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** As submitted, with the envelope keys (file_url, url). */
    params: json('params').notNull(),
    /** What goes to the fleet; see shared/protocol/dispatch.ts. */
    dispatch: json('dispatch').notNull(),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    status: text('status', { enum: JOB_STATES }).notNull(),
    progress: integer('progress').notNull().default(0),
    estimatedCost: integer('estimated_cost').notNull(),
    finalCost: integer('final_cost'),
    processingMs: integer('processing_ms'),
    error: text('error'),
    errorCode: text('error_code'),
    result: json('result'),
    webhookUrl: text('webhook_url'),
    repeatOf: text('repeat_of'),
    /** Counts the moves; the next move inserts this number plus one into job_moves. */
    moves: integer('moves').notNull(),
    /** The newest attempt known; see shared/protocol/callback.ts. */
    fence: integer('fence').notNull().default(0),
    /** When the fleet last said anything about this job. */
    heardAt: time('heard_at').notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    /** When the result's files are removed. */
    expiresAt: time('expires_at'),
    /** When they were. */
    purgedAt: time('purged_at'),
  },
  (table) => [
    index('jobs_key').on(table.keyId, table.createdAt),
    index('jobs_expiry').on(table.expiresAt).where(sql`result IS NOT NULL`),
    index('jobs_account').on(table.accountId, table.createdAt),
    index('jobs_open').on(table.heardAt).where(sql`status IN ('queued', 'processing')`),
    index('jobs_open_of_account').on(table.accountId).where(sql`status IN ('queued', 'processing')`),
  ],
)

/** One row a move; the primary key lets only one of two concurrent moves through. */
export const jobMoves = sqliteTable(
  'job_moves',
  {
    jobId: text('job_id').notNull(),
    number: integer('number').notNull(),
    status: text('status', { enum: JOB_STATES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
)

export const uploads = sqliteTable(
  'uploads',
  {
    key: text('key').primaryKey(),
    accountId: integer('account_id').references(() => accounts.id),
    anonymousKey: text('anonymous_key'),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** What its first bytes say it is, once somebody looked; null before. */
    kind: text('kind', { enum: ['video', 'image', 'audio', 'other'] }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('uploads_expiry').on(table.expiresAt)],
)

/** What signs an account's webhooks. After a rotation the one before it signs too, for a day. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  createdAt: time('created_at').notNull(),
})

/** Webhooks that were or will be sent, one for each job that ended and asked for it. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** Also the webhook-id, the same for every attempt. */
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    jobId: text('job_id').notNull(),
    type: text('type', { enum: ['job.done', 'job.failed', 'job.canceled'] }).notNull(),
    url: text('url').notNull(),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    responseStatus: integer('response_status'),
    error: text('error'),
    createdAt: time('created_at').notNull(),
    /** When the attempts end; a replay begins them anew. */
    retryUntil: time('retry_until').notNull(),
    lastAttemptAt: time('last_attempt_at'),
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [index('webhook_deliveries_account').on(table.accountId, table.createdAt)],
)

/**
 * Requests that carried an Idempotency-Key, for a day. `completions` lets only one of two commits through
 * that both answer the same request.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** Whose key it is: an account, or an anonymous caller's address. */
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the method, path and body. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: time('created_at').notNull(),
    /** Until then nobody else begins; after a crash the next one may. */
    lockedUntil: time('locked_until').notNull(),
    completions: integer('completions').notNull().default(0),
    /** The first answer: its status and its sealed body; null while the request runs. */
    status: integer('status'),
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
    check('idempotency_keys_once', sql`${table.completions} IN (0, 1)`),
  ],
)

/** What an account did and what it cost; what one commit does to a job is one row, written in that commit. */
export const usageEvents = sqliteTable(
  'usage_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    action: text('action', { enum: ['submit', 'done', 'failed', 'canceled', 'upload', 'deliver'] }).notNull(),
    serviceSlug: text('service_slug'),
    operationKey: text('operation_key'),
    jobId: text('job_id'),
    /** Taken (positive) or given back (negative) by this event. */
    credits: integer('credits').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('usage_events_account').on(table.accountId, table.id)],
)

/** Studio tools that an account pinned, in its order. */
export const favorites = sqliteTable(
  'favorites',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    operationId: integer('operation_id')
      .notNull()
      .references(() => operations.id),
    position: integer('position').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.operationId] })],
)

/** Effects outside the database, written in the same batch as their cause, removed when acknowledged. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['dispatch', 'cancel', 'purge', 'mail', 'webhook'] }).notNull(),
    payload: json('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: time('due_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('outbox_due').on(table.dueAt)],
)

/** Callbacks that were taken, so that a repeated one changes nothing and a changed one is refused. */
export const callbacks = sqliteTable(
  'callbacks',
  {
    id: text('id').primaryKey(),
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('callbacks_age').on(table.createdAt, table.id)],
)
