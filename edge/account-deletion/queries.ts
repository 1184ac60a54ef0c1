import { and, eq, exists, gt, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { AccountRow } from '../accounts/queries.ts'
import { endAccessStatements } from '../identity/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { accountSubject } from '../platform/http/subjects.ts'
import { deleteDetailsStatement } from '../receipts/queries.ts'
import { OPEN_REFUND_STATES } from '../refunds/rules/refunds.ts'
import {
  accounts,
  emailCodes,
  emailPreferences,
  favorites,
  idempotencyKeys,
  jobs,
  ledger,
  messengerLinks,
  orders,
  passwordResets,
  refunds,
  uploads,
  withdrawals,
} from '../tables.ts'
import { deleteDeliveriesStatements } from '../webhooks/delete-queries.ts'
import { erasedAddress, NEVER } from './rules/deletion.ts'

const confirmingOrders = (db: Database, accountId: number) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, ['confirming', 'partially_paid'])))
const waitingOrders = (db: Database, accountId: number) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, 'waiting')))
const otherAdministrators = (db: Database, accountId: number) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.isAdmin, true), ne(accounts.id, accountId), isNull(accounts.blockedAt)))
    .limit(1)

/** Loads the facts that decide on a deletion: open payments, administrators, and the welcome grant. */
export async function loadDeletionFacts(db: Database, accountId: number) {
  const [payments, administrators, welcome] = await db.batch([
    confirmingOrders(db, accountId).limit(1),
    otherAdministrators(db, accountId),
    db
      .select({ id: ledger.id })
      .from(ledger)
      .where(eq(ledger.cause, `welcome:${accountId}`)),
  ])
  return {
    has_open_payment: payments.length > 0,
    has_other_administrator: administrators.length > 0,
    welcome_paid: welcome.length > 0,
  }
}

/**
 * Makes the commit fail as a lost race if a job, order or payment has started, or if no administrator would be
 * left.
 */
export function deletionGuard(db: Database, account: Pick<AccountRow, 'id'>): Statement {
  const { id } = account
  const other = alias(accounts, 'other')
  const openJobs = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.accountId, id), sql`status IN ('queued', 'processing')`))
  const replaced = db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.isAdmin, true), ne(other.id, id), isNull(other.blockedAt)))
  const deletable = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.id, id),
        isNull(accounts.deletedAt),
        or(eq(accounts.isAdmin, false), exists(replaced)),
        notExists(openJobs),
        notExists(confirmingOrders(db, id)),
        notExists(waitingOrders(db, id)),
      ),
    )
  return guardStatement(db, exists(deletable))
}

/**
 * Revokes all access to an account and erases its personal data in small tables. erase-content.ts erases the rest.
 * Orders, the ledger, refunds and usage stay, since they name the account by its id only. Receipts stay as they are,
 * because accounting law requires it.
 */
export function eraseStatements(db: Database, { id, email, fullName }: AccountRow, now: number): Statement[] {
  const erased = erasedAddress(id)
  const person = fullName === null ? email : `${fullName} (${email})`
  return [
    db
      .update(accounts)
      .set({
        ...{
          email: erased,
          emailKey: erased,
          addressHash: '',
          fullName: null,
          emailVerifiedAt: null,
          subscribedAt: null,
        },
        ...{ passwordHash: null, idpIssuer: null, idpSubject: null, isAdmin: false, paymentsEnabled: false },
        ...{ blockedAt: now, deletedAt: now, dailyFreeFrom: NEVER, welcomeUsed: true },
        ...{ keptSession: null, sessionEpoch: sql`${accounts.sessionEpoch} + 1` },
      })
      .where(eq(accounts.id, id)),
    ...endAccessStatements(db, id),
    ...deleteDeliveriesStatements(db, id, 'pending'),
    deleteDetailsStatement(db, id),
    db.delete(favorites).where(eq(favorites.accountId, id)),
    db.delete(emailCodes).where(eq(emailCodes.accountId, id)),
    db.delete(emailPreferences).where(eq(emailPreferences.accountId, id)),
    db.delete(passwordResets).where(eq(passwordResets.accountId, id)),
    db.delete(messengerLinks).where(eq(messengerLinks.accountId, id)),
    db.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, accountSubject(id))),
    // The outcome of an open refund still reaches its owner. The address is erased when the refund ends.
    db
      .update(refunds)
      .set({ email })
      .where(and(eq(refunds.accountId, id), inArray(refunds.status, OPEN_REFUND_STATES))),
    // The statement of a withdrawal stays as the record of a legal act, without the name.
    db
      .update(withdrawals)
      .set({ statement: sql`replace(${withdrawals.statement}, ${person}, ${erased})` })
      .where(eq(withdrawals.accountId, id)),
    db
      .update(refunds)
      .set({ note: sql`replace(${refunds.note}, ${person}, ${erased})` })
      .where(and(eq(refunds.accountId, id), isNotNull(refunds.note))),
  ]
}

/** Lets all files of an account expire, so they are refused at once, and the next runs of the purge delete them. */
export function expireFilesStatements(db: Database, accountId: number, now: number): Statement[] {
  return [
    db
      .update(jobs)
      .set({ expiresAt: now })
      .where(and(eq(jobs.accountId, accountId), isNotNull(jobs.result), gt(jobs.expiresAt, now))),
    db
      .update(uploads)
      .set({ expiresAt: now })
      .where(and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, now))),
  ]
}
