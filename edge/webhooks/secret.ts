import { Buffer } from 'node:buffer'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { whileAllowed } from '../accounts/while-authorized.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { ensureSecretStatement, findSecret, replaceSecretStatement, type WebhookSecret } from './queries.ts'

const SECRET_BYTES = 32

/** A secret as Standard Webhooks writes it: `whsec_` and base64. */
function makeSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`
}

/** The account's secret, made where there was none. */
export async function loadSecret(
  { db, clock }: Deps,
  accountId: number,
  beside: Statement[] = [],
): Promise<WebhookSecret> {
  const row = { accountId, secret: makeSecret(), createdAt: clock.now() }
  await commit(db, [...beside, ensureSecretStatement(db, row)])
  return findSecret(db, accountId)
}

/** Throws 401 for a session that was ended meanwhile. */
export async function showSecret(deps: Deps, caller: SessionCaller) {
  return viewSecret(await whileAllowed(deps, caller, (guard) => loadSecret(deps, caller.account.id, [guard])))
}

/** Puts a new secret in place. The one before it goes on signing beside it for a day. Throws as showSecret. */
export async function rotateSecret(deps: Deps, caller: SessionCaller, record: RecordAnswer) {
  const { db, clock } = deps
  const row = { accountId: caller.account.id, secret: makeSecret(), createdAt: clock.now() }
  const answer = viewSecret(row)
  await whileAllowed(deps, caller, (guard) =>
    commit(db, [guard, replaceSecretStatement(db, row), ...record(answer)]),
  )
  return answer
}

function viewSecret({ secret, createdAt }: Pick<WebhookSecret, 'secret' | 'createdAt'>) {
  return { secret, created_at: isoTime(createdAt) }
}
