import { Buffer } from 'node:buffer'
import { ensureSecret, replaceSecret, type WebhookSecret } from '../../db/webhooks.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { isoTime } from '../views.ts'

const SECRET_BYTES = 32

/** A secret as Standard Webhooks writes it: `whsec_` and base64. */
function makeSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`
}

/** The account's secret, made where there was none. */
export function loadSecret({ db, clock }: Deps, accountId: number): Promise<WebhookSecret> {
  return ensureSecret(db, accountId, makeSecret(), clock.now())
}

export async function showSecret(deps: Deps, { account }: SessionCaller) {
  return viewSecret(await loadSecret(deps, account.id))
}

/** Puts a new secret in place. The one before it goes on signing beside it for a day. */
export async function rotateSecret({ db, clock }: Deps, { account }: SessionCaller) {
  return viewSecret(await replaceSecret(db, account.id, makeSecret(), clock.now()))
}

function viewSecret({ secret, createdAt }: WebhookSecret) {
  return { secret, created_at: isoTime(createdAt) }
}
