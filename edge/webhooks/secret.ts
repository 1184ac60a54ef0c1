import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { makeSecret } from './make-secret.ts'
import {
  ensureSecretStatement,
  findSecret,
  replaceSecretStatement,
  type WebhookSecret,
} from './secret-queries.ts'

/** Returns the account's secret, and creates it on first use. */
export async function loadSecret({ db, clock }: Deps, accountId: number): Promise<WebhookSecret> {
  const row = { accountId, secret: makeSecret(), createdAt: clock.now() }
  await commit(db, [ensureSecretStatement(db, row)])
  return findSecret(db, accountId)
}

/** Throws 401 if the session has ended. */
export async function showSecret(deps: Deps, caller: SessionCaller) {
  const { id: accountId } = caller.account
  const secret = makeSecret()
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: (_, now) => ({
      statements: [ensureSecretStatement(deps.db, { accountId, secret, createdAt: now })],
      answer: undefined,
    }),
  })
  return viewSecret(await findSecret(deps.db, accountId))
}

/** Rotates the secret. The previous secret is also used to sign for 24 hours. Throws like showSecret. */
export async function rotateSecret(deps: Deps, caller: SessionCaller, record: RecordAnswer) {
  const secret = makeSecret()
  return authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: (_, now) => {
      const row = { accountId: caller.account.id, secret, createdAt: now }
      const answer = viewSecret(row)
      return { statements: [replaceSecretStatement(deps.db, row), ...record(answer)], answer }
    },
  })
}

function viewSecret({ secret, createdAt }: Pick<WebhookSecret, 'secret' | 'createdAt'>) {
  return { secret, created_at: isoTime(createdAt) }
}
