import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { LOCALES } from '../../shared/text/texts.ts'
import { operations } from '../catalog/tables.ts'
import { flag, time } from '../platform/database/columns.ts'

export const accounts = sqliteTable(
  'accounts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /**
     * Random name of the account in tokens. A restored database could give out the ids of lost accounts again, but
     * never their keys. A trigger fills it in where an older Worker inserts an account.
     */
    publicKey: text('public_key').notNull().unique().default(''),
    /** As entered, for sending email. */
    email: text('email').notNull(),
    /** Lowercase, for comparison. */
    emailKey: text('email_key').notNull().unique(),
    fullName: text('full_name'),
    passwordHash: text('password_hash'),
    emailVerifiedAt: time('email_verified_at'),
    isAdmin: flag('is_admin').notNull().default(false),
    paymentsEnabled: flag('payments_enabled').notNull().default(true),
    blockedAt: time('blocked_at'),
    locale: text('locale', { enum: LOCALES }).notNull().default('en'),
    /** Sessions from earlier epochs are invalid, except the one that requested the increment. */
    sessionEpoch: integer('session_epoch').notNull().default(1),
    keptSession: text('kept_session'),
    /** The account's identity at the identity provider, if linked. */
    idpIssuer: text('idp_issuer'),
    idpSubject: text('idp_subject'),
    idpLinkedAt: time('idp_linked_at'),
    /** Time at which the password was set. A change of the password removes an identity that was linked after it. */
    passwordSetAt: time('password_set_at'),
    /** Hash of the address, under which the home reserves its database; empty once the account is deleted. */
    addressHash: text('address_hash').notNull().default(''),
    /** True if the mailbox had received the welcome grant before the account was opened. */
    welcomeUsed: flag('welcome_used').notNull().default(false),
    /** Earliest time of the next daily allowance, because a deleted account with this address received one. */
    dailyFreeFrom: time('daily_free_from'),
    /** Time at which the owner deleted the account. The account is then blocked, without personal data. */
    deletedAt: time('deleted_at'),
    /** Time of the first verification. The current preferences are in email_preferences. */
    subscribedAt: time('subscribed_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('accounts_identity').on(table.idpIssuer, table.idpSubject),
    index('accounts_blocked').on(table.blockedAt).where(sql`blocked_at IS NOT NULL`),
  ],
)

/**
 * Verification codes that have been sent; only the newest is valid. The primary key lets only one of two concurrent
 * sends succeed.
 */
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

/** Sessions that have neither ended nor expired. A token is valid only while its session is here. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Browser and system, or the program, that signed in; null if it sent no usable User-Agent. */
    device: text('device'),
    /** The network that it signed in from: a /24 or /48, because more is not needed to recognize it. */
    network: text('network'),
    createdAt: time('created_at').notNull(),
    /** At most ten minutes before the last use. */
    lastUsedAt: time('last_used_at').notNull(),
    /** Time at which the token expires. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('sessions_account').on(table.accountId, table.createdAt),
    index('sessions_expiry').on(table.expiresAt),
  ],
)

/** Restores of the database. Sessions that started before the last one are invalid. */
export const restores = sqliteTable('restores', {
  restoredAt: time('restored_at').primaryKey(),
  /** Time of the backup. Everything between the two times is lost. */
  backupAt: time('backup_at').notNull(),
})

/** Free credits that mailboxes received, so that neither a new account nor another spelling receives them again. */
export const mailboxGrants = sqliteTable(
  'mailbox_grants',
  {
    /** Made with ADDRESS_KEYS, so that the address of a deleted account cannot be found by guessing. */
    mailboxHash: text('mailbox_hash').primaryKey(),
    welcomeUsed: flag('welcome_used').notNull(),
    /** Time at which the last daily allowance of a deleted account expires. */
    dailyFreeFrom: time('daily_free_from'),
    /** Time at which the last account was deleted; null while an account has the mailbox. */
    retiredAt: time('retired_at'),
  },
  (table) => [index('mailbox_grants_retired').on(table.retiredAt).where(sql`retired_at IS NOT NULL`)],
)

/** Pending sign-ins at the identity provider. The row is deleted when the callback arrives. */
export const idpFlows = sqliteTable(
  'idp_flows',
  {
    state: text('state').primaryKey(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    /**
     * SHA-256 of the secret in a cookie of the browser that started the sign-in; empty if the client is not a
     * browser.
     */
    browserHash: text('browser_hash').notNull(),
    /** The session that started the sign-in, if any. Only the account of that session can be linked. */
    sessionId: text('session_id'),
    mode: text('mode', { enum: ['login', 'link'] }).notNull(),
    /** True if the session gave the password or was recent when it started a link. */
    isProven: flag('is_proven').notNull().default(false),
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
    /** First characters of the plaintext, which let people recognize the key. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the plaintext, in hexadecimal. The plaintext has 192 random bits, so no salt is needed. */
    hash: text('hash').notNull().unique(),
    enabled: flag('enabled').notNull().default(true),
    revokedAt: time('revoked_at'),
    maxPerDay: integer('max_per_day').notNull().default(0),
    lastUsedAt: time('last_used_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('api_keys_account').on(table.accountId)],
)

/** An account's pinned studio tools, in order. */
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
