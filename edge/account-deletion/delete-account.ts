import { hashMailbox } from '../accounts/address-hash.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { requireAuthorized } from '../accounts/authorized-work.ts'
import { noteMailboxStatement } from '../accounts/mailbox-queries.ts'
import { type AccountRow, findAccount } from '../accounts/queries.ts'
import { requireCurrentPassword } from '../accounts/require-current-password.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { isRecentSignIn } from '../accounts/rules/recent-sign-in.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import { andThen, expireAll } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { mailEffect } from '../emails/send.ts'
import { passwordGuard } from '../identity/queries.ts'
import { cancelAndRefund, cancelOpenJobsIfMany, loadOpenJobs } from '../jobs/cancel-open-jobs.ts'
import { closeOrders } from '../orders/close-checkout.ts'
import { unpaidOrdersQuery } from '../orders/queries.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { findDueRefunds, loadRefundable, refundAll } from '../refunds/refund-all.ts'
import { loadSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { closeTerm, isRenewing } from '../subscriptions/rules/renewal.ts'
import { runningTermQuery, type StoredSubscription } from '../subscriptions/term-queries.ts'
import { termOf, termTransition } from '../subscriptions/transition.ts'
import { eraseEffect } from './erase-content.ts'
import { deletionGuard, eraseStatements, expireFilesStatements, loadDeletionFacts } from './queries.ts'
import { refundDue, requireChoice } from './refund-choice.ts'
import { addUpExpired, allowanceEnd } from './rules/deletion.ts'
import type { DeletionEmail } from './rules/deletion-email.ts'

interface Confirmation {
  confirm: string
  current_password?: string | undefined
  refund?: 'request' | 'waive' | undefined
}

/**
 * Deletes the caller's account in one commit, after which nothing can be submitted or charged: ends its credentials,
 * its renewal and its open checkouts, lets its credits and files expire, and erases its personal data. Keeps the ledger and
 * the orders. Throws 400, 403, 409, 422 and 429. Contract: Accounts, Account deletion.
 */
export async function deleteAccount(deps: Deps, caller: SessionCaller, confirmation: Confirmation) {
  const { id } = caller.account
  const account = await loadAccount(deps, caller)
  await requireProof(deps, caller, account, confirmation)
  requireDeletable(account, await loadDeletionFacts(deps.db, id))
  const settings = await loadSettings(deps.db, deps.clock.now())
  await requireChoice(deps, id, settings, confirmation)
  await requireAuthorized(deps, caller)
  await cancelOpenJobsIfMany(deps, id)
  const answer = await changeCredits(deps, id, {
    load: () => loadAll(deps, caller, settings),
    decide: (all, settled, now) => {
      const { account: current, facts, loaded, open, subscription, unpaid } = all
      requireDeletable(current, facts)
      if (current.passwordHash !== account.passwordHash) throw new ApiError('password_change_conflict')
      const canceled = cancelAndRefund(deps, open, settled, now)
      const due = findDueRefunds(all.refundable, canceled.change.credits, settings, now)
      if (due.length > 0 && confirmation.refund === undefined) throw refundDue(deps, due)
      const wanted = confirmation.refund === 'request' ? due : []
      const refunded = refundAll(deps, wanted, canceled.change.credits, current, now)
      const { credits } = refunded.change
      const ids = new Set(wanted.map(({ facts: { order } }) => order.id))
      const months = (loaded.term?.undelivered ?? []).filter(({ order_id }) => !ids.has(order_id))
      const expired = addUpExpired(credits, months)
      const closed = closing(deps, subscription, now)
      const ended = closeOrders(deps.db, unpaid, now)
      const retired = {
        mailboxHash: hashMailbox(deps.env, account.emailKey)[0],
        welcomeUsed: facts.welcome_paid || current.welcomeUsed,
        dailyFreeFrom: allowanceEnd(credits, loaded.allowance_until, now),
        retiredAt: now,
      }
      return {
        change: andThen(
          andThen(canceled.change, () => refunded.change),
          (left) => expireAll(left, `deletion:${id}`),
        ),
        statements: [
          passwordGuard(deps.db, caller, account.passwordHash),
          ...canceled.statements,
          ...ended.statements,
          ...refunded.statements,
          deletionGuard(deps.db, current),
          ...closed.statements,
          ...expireFilesStatements(deps.db, id, now),
          ...eraseStatements(deps.db, current, now),
          noteMailboxStatement(deps.db, retired),
        ],
        effects: [
          ...canceled.effects,
          ...closed.effects,
          ...ended.effects,
          ...refunded.effects,
          eraseEffect(id, { address_hash: account.addressHash }),
          ...confirmationEmail(deps, current, { ...expired, ends_renewal: closed.ends_renewal }, now),
        ],
        answer: { deleted_at: isoTime(now), ...expired, refunds: refunded.refunds },
      }
    },
  })
  forgetCredentials(deps)
  return answer
}

async function loadAccount({ db }: Deps, { account }: SessionCaller): Promise<AccountRow> {
  const row = await findAccount(db, account.id)
  if (row === undefined) throw new ApiError('invalid_bearer_token')
  return row
}

/** Loads what the deletion decides on. The commit requires that no job was submitted in the meantime. */
async function loadAll(deps: Deps, caller: SessionCaller, settings: Settings) {
  const { id } = caller.account
  await requireAuthorized(deps, caller)
  const [account, facts, loaded, open, unpaid, refundable, [running]] = await Promise.all([
    loadAccount(deps, caller),
    loadDeletionFacts(deps.db, id),
    loadCredits(deps.db, id),
    loadOpenJobs(deps, id),
    unpaidOrdersQuery(deps.db, id),
    loadRefundable(deps, id, settings),
    runningTermQuery(deps.db, id),
  ])
  return { account, facts, loaded, open, unpaid, refundable, subscription: running?.subscription }
}

/** Requires the address, and the password or a recent sign-in. */
async function requireProof(
  deps: Deps,
  caller: SessionCaller,
  { id, emailKey, passwordHash }: AccountRow,
  { confirm, current_password }: Confirmation,
): Promise<void> {
  if (asciiEmail(confirm.trim()).toLowerCase() !== emailKey) throw invalidField('confirm', 'address_mismatch')
  if (passwordHash !== null) return requireCurrentPassword(deps, id, passwordHash, current_password)
  if (!isRecentSignIn(caller, deps.clock.now())) throw new ApiError('recent_sign_in_required')
}

type Facts = Awaited<ReturnType<typeof loadDeletionFacts>>

function requireDeletable({ isAdmin }: AccountRow, facts: Facts): void {
  if (isAdmin && !facts.has_other_administrator) throw new ApiError('last_administrator')
  if (facts.has_open_payment) throw new ApiError('payment_in_progress')
}

function closing(deps: Deps, subscription: StoredSubscription | undefined, now: number) {
  if (subscription === undefined) return { statements: [], effects: [], ends_renewal: false }
  const term = termOf(subscription)
  const closed = termTransition(deps, subscription, closeTerm(term, now), 'account deleted', now)
  return { ...closed, ends_renewal: isRenewing(term) }
}

/** Writes the confirmation email. An unconfirmed address may belong to someone else, so it gets none. */
function confirmationEmail(
  { mailer }: Deps,
  { id, email, locale, emailVerifiedAt }: AccountRow,
  facts: DeletionEmail,
  now: number,
): Effect[] {
  if (mailer === null || emailVerifiedAt === null) return []
  const { expired_paid_credits, ends_renewal } = facts
  const content = { kind: 'account_deleted' as const, expired_paid_credits, ends_renewal }
  return [mailEffect(`account-deleted:${id}`, { to: email, locale, content, useful_until: now + 7 * DAY_MS })]
}
