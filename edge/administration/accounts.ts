import { forgetCredentials } from '../accounts/authenticate.ts'
import { type AccountRow, findAccountOf, type StoredKey, toCallerAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { viewAccount } from '../accounts/view.ts'
import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { atRow } from '../platform/database/find-place.ts'
import { readRowsEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { endBlockedMandates } from '../subscriptions/end-mandates.ts'
import { administer } from './audit.ts'
import { changeAccountStatement, findAccountDetails, findAccounts } from './queries.ts'

export interface AccountChange {
  is_admin?: boolean | undefined
  payments_enabled?: boolean | undefined
  blocked?: boolean | undefined
}

/** Searches accounts by part of their email address or name, or by id. */
export async function searchAccounts(
  deps: Deps,
  page: { q?: string | undefined; limit: number; offset: number },
) {
  const q = page.q === undefined ? undefined : asciiEmail(page.q)
  const found = await readRowsEverywhere(
    deps,
    { ...page, q },
    (db, part) => findAccounts(db, part),
    (one, other) => other.id - one.id,
  )
  return found.map(viewListed)
}

/** Returns an account with its balance, plan, keys and open jobs. Throws 404. */
export async function showAdministeredAccount(asked: Deps, id: number) {
  const deps = await atRow(asked, ({ db }) => findAccountOf(db, id))
  const found = await findAccountDetails(deps.db, id)
  if (found === undefined) throw new ApiError('account_not_found')
  const { balance } = await settleAccount(deps, id)
  const { account, term, keys, open_jobs } = found
  return {
    ...viewAccount(toCallerAccount(account, term), deps.clock.now()),
    blocked_at: isoTime(account.blockedAt),
    deleted_at: isoTime(account.deletedAt),
    balance,
    open_jobs,
    keys: keys.map(viewListedKey),
  }
}

/**
 * Changes whether an account is an administrator, may make payments, or is blocked. Blocking rejects its sessions
 * and keys within five seconds and ends its mandate. Throws 404, and 409 for a change that would lock out the
 * administrator.
 */
export async function changeAccount(asked: Deps, caller: SessionCaller, id: number, change: AccountChange) {
  if (id === caller.account.id && (change.is_admin === false || change.blocked === true)) {
    throw new ApiError('own_rights_locked')
  }
  const deps = await atRow(asked, ({ db }) => findAccountOf(db, id))
  if (change.is_admin === true && deps.db.$number !== 0) throw new ApiError('administrator_elsewhere')
  await administer(deps, caller, {
    load: () => findAccountDetails(deps.db, id),
    decide: (found, now) => {
      if (found === undefined) throw new ApiError('account_not_found')
      const { account } = found
      if (account.deletedAt !== null) throw new ApiError('account_deleted')
      const next = {
        isAdmin: change.is_admin ?? account.isAdmin,
        paymentsEnabled: change.payments_enabled ?? account.paymentsEnabled,
        blockedAt: blockedAt(account, change.blocked, now),
      }
      const [before, after] = [viewRights(account), viewRights(next)]
      const entry = { action: 'account.change', target: `account:${id}`, before, after }
      return {
        statements: [changeAccountStatement(deps.db, id, next)],
        entries: JSON.stringify(before) === JSON.stringify(after) ? [] : [entry],
        answer: undefined,
      }
    },
  })
  forgetCredentials(deps)
  if (change.blocked) deps.defer(endBlockedMandates(deps))
  return showAdministeredAccount(asked, id)
}

function blockedAt({ blockedAt }: AccountRow, blocked: boolean | undefined, now: number): number | null {
  if (blocked === undefined) return blockedAt
  return blocked ? (blockedAt ?? now) : null
}

type Rights = Pick<AccountRow, 'isAdmin' | 'paymentsEnabled' | 'blockedAt'>

function viewRights({ isAdmin, paymentsEnabled, blockedAt }: Rights) {
  return { is_admin: isAdmin, payments_enabled: paymentsEnabled, blocked: blockedAt !== null }
}

function viewListed(account: AccountRow) {
  return {
    id: account.id,
    email: account.email,
    full_name: account.fullName,
    email_verified: account.emailVerifiedAt !== null,
    ...viewRights(account),
    created_at: isoTime(account.createdAt),
  }
}

function viewListedKey(key: StoredKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    enabled: key.enabled,
    revoked: key.revokedAt !== null,
    last_used_at: isoTime(key.lastUsedAt),
    created_at: isoTime(key.createdAt),
  }
}
