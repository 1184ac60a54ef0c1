import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { operations } from '../catalog/tables.ts'
import { flag, time } from '../platform/database/columns.ts'
import { LOCALES } from '../platform/http/rules/locale.ts'

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
    /** When the address was first confirmed; what it gets since is in email_preferences. */
    subscribedAt: time('subscribed_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('accounts_identity').on(table.idpIssuer, table.idpSubject),
    index('accounts_blocked').on(table.blockedAt).where(sql`blocked_at IS NOT NULL`),
  ],
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
    /** SHA-256 of the secret in a cookie of the browser that began it; empty for a client that is no browser. */
    browserHash: text('browser_hash').notNull(),
    /** The session that began it, where one did: a link is for its account alone. */
    sessionId: text('session_id'),
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
