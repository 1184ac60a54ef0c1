import { authorizedWork } from '../accounts/authorized-work.ts'
import { insertKeyStatement, loadKeyFacts } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { KEYS_MAX } from '../accounts/rules/limits.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { generateKey, hashKey } from './key-text.ts'
import { viewKey } from './view.ts'

/**
 * Creates an API key and returns its plaintext once. Throws 409 at the maximum of 100 keys. The commit claims the
 * key's id, so concurrent requests cannot exceed the maximum.
 */
export async function createToken(
  deps: Deps,
  caller: SessionCaller,
  { name, max_per_day }: { name?: string | undefined; max_per_day: number },
  record: RecordAnswer,
) {
  const { account } = caller
  const { plaintext, prefix } = generateKey(deps.db)
  const hash = await hashKey(plaintext)
  return authorizedWork(deps, caller, {
    load: () => loadKeyFacts(deps.db, account.id),
    decide: ({ held, next_id }, now) => {
      if (held >= KEYS_MAX) throw new ApiError('too_many_api_keys', { keys_max: KEYS_MAX })
      const key = {
        id: next_id,
        accountId: account.id,
        name: name ?? null,
        prefix,
        hash,
        enabled: true,
        revokedAt: null,
        maxPerDay: max_per_day,
        lastUsedAt: null,
        createdAt: now,
      }
      const answer = { ...viewKey(key, 0), plaintext }
      return { statements: [insertKeyStatement(deps.db, key), ...record(answer)], answer }
    },
  })
}
