import { countKeys, insertKey } from '../../db/accounts.ts'
import type { Deps } from '../../deps.ts'
import { generateKey, hashKey } from '../../integrations/api-key-text.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { ApiError } from '../api-error.ts'
import { viewKey } from './view.ts'

const KEYS_MAX = 100

/** Makes an API key; only this answer carries its plaintext. Throws 409 where there are 100 already. */
export async function createToken(
  deps: Deps,
  { account }: SessionCaller,
  { name, max_per_day }: { name?: string | undefined; max_per_day: number },
) {
  if ((await countKeys(deps.db, account.id)) >= KEYS_MAX) {
    throw new ApiError(409, `an account holds at most ${KEYS_MAX} API keys; delete one first`)
  }
  const { plaintext, prefix } = generateKey()
  const key = await insertKey(deps.db, {
    accountId: account.id,
    name: name ?? null,
    prefix,
    hash: await hashKey(plaintext),
    maxPerDay: max_per_day,
    createdAt: deps.clock.now(),
  })
  return { ...viewKey(key, 0), plaintext }
}
