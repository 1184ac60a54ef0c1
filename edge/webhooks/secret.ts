import { Buffer } from 'node:buffer'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { whileAuthorized } from '../accounts/while-authorized.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { ensureSecretStatement, findSecret, replaceSecretStatement, type WebhookSecret } from './queries.ts'

const SECRET_BYTES = 32

/** Formats a secret for Standard Webhooks: `whsec_` followed by base64. */
function makeSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`
}

/** Returns the account's secret; creates it on first use. */
export async function loadSecret(
  { db, clock }: Deps,
  accountId: number,
  beside: Statement[] = [],
): Promise<WebhookSecret> {
  const row = { accountId, secret: makeSecret(), createdAt: clock.now() }
  await commit(db, [...beside, ensureSecretStatement(db, row)])
  return findSecret(db, accountId)
}

/** Throws 401 if the session has ended. */
export async function showSecret(deps: Deps, caller: SessionCaller) {
  return viewSecret(
    await whileAuthorized(deps, caller, (guard) => loadSecret(deps, caller.account.id, [guard])),
  )
}

/** Rotates the secret. The previous one also signs for 24 hours. Throws like showSecret. */
export async function rotateSecret(deps: Deps, caller: SessionCaller, record: RecordAnswer) {
  const { db, clock } = deps
  const row = { accountId: caller.account.id, secret: makeSecret(), createdAt: clock.now() }
  const answer = viewSecret(row)
  await whileAuthorized(deps, caller, (guard) =>
    commit(db, [guard, replaceSecretStatement(db, row), ...record(answer)]),
  )
  return answer
}

function viewSecret({ secret, createdAt }: Pick<WebhookSecret, 'secret' | 'createdAt'>) {
  return { secret, created_at: isoTime(createdAt) }
}
