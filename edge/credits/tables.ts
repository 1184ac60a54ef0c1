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
} from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { BADGES } from '../offers/rules/prices.ts'
import { flag, time } from '../platform/database/columns.ts'
import { ENTRY_TYPES, GRANT_KINDS } from './rules/ledger.ts'

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
    /** Jobs with lower numbers run first; see edge/accounts/rules/limits.ts. */
    priority: integer('priority').notNull(),
    requestsPerMinute: integer('requests_per_minute').notNull(),
    requestsPerDay: integer('requests_per_day').notNull(),
    inFlightMax: integer('in_flight_max').notNull(),
    /** True if the plan's jobs are delayed before they enter the queue. */
    throttled: flag('throttled').notNull().default(false),
    badge: text('badge', { enum: BADGES }),
    retiredAt: time('retired_at'),
  },
  (table) => [check('plans_positive', sql`${table.priceCents} > 0 AND ${table.periodCredits} > 0`)],
)

/** Packs, which the API calls packages. */
export const packages = sqliteTable(
  'packages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    credits: integer('credits').notNull(),
    priceCents: integer('price_cents').notNull(),
    currency: text('currency').notNull(),
    badge: text('badge', { enum: BADGES }),
    retiredAt: time('retired_at'),
  },
  (table) => [check('packages_positive', sql`${table.priceCents} > 0 AND ${table.credits} > 0`)],
)

/** Append-only: triggers reject UPDATE and DELETE. Each account's rows are numbered without gaps. */
export const ledger = sqliteTable(
  'ledger',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** A writer that loses a race reuses a number, which rolls back its entire batch. */
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
    /** Identifies the cause of this entry, so the same cause cannot be booked twice. */
    cause: text('cause').notNull().unique(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('ledger_sequence').on(table.accountId, table.sequence),
    index('ledger_job').on(table.jobId),
    index('ledger_order').on(table.orderId).where(sql`order_id IS NOT NULL`),
    index('ledger_daily').on(table.accountId, table.expiresAt).where(sql`entry_type = 'daily_free'`),
    check('ledger_balance', sql`${table.balanceAfter} >= 0`),
  ],
)

/**
 * Burn order in SQL, the same as compareBurnOrder in rules/ledger.ts. The index of live grants is sorted this way,
 * so a charge reads only the grants it spends.
 */
export const BURN_ORDER = [
  sql`CASE WHEN "expires_at" IS NULL THEN 9007199254740991 ELSE "expires_at" END`,
  sql.raw(`CASE "kind" ${GRANT_KINDS.map((kind, rank) => `WHEN '${kind}' THEN ${rank}`).join(' ')} END`),
]

/** Credits granted, and how many of them remain. A grant is identified by its ledger entry. */
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
    index('grants_live')
      .on(table.accountId, ...BURN_ORDER, table.sequence)
      .where(sql`"left" > 0`),
    check('grants_left', sql`${table.left} >= 0 AND ${table.left} <= ${table.amount}`),
  ],
)

/**
 * Grant allocations: the credits that an entry took from a grant (negative) or returned to it (positive).
 * Append-only.
 */
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
