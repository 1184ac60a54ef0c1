import { forgetCredentials } from '../accounts/authenticate.ts'
import { requireAuthorized } from '../accounts/authorized-work.ts'
import { deleteKey, listKeys, type StoredKey, toggleKey } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { countUsedToday } from './used-today.ts'
import { viewKey } from './view.ts'

export async function listTokens(deps: Deps, { account }: SessionCaller) {
  const keys = await listKeys(deps.db, account.id)
  const used = await countUsedToday(deps, account.id, keys.map(countedKey))
  return keys.map((key, index) => viewKey(key, used[index] ?? 0))
}

function countedKey({ id, maxPerDay }: StoredKey) {
  return { id, max_per_day: maxPerDay }
}

/** Pauses a live key or resumes a paused one. Throws 404, or 403 if an administrator revoked the key. */
export async function toggleToken(deps: Deps, caller: SessionCaller, tokenId: number) {
  const { account } = caller
  await requireAuthorized(deps, caller)
  const key = await toggleKey(deps.db, caller, tokenId)
  if (key === undefined) throw await explainRefusal(deps, account.id, tokenId)
  forgetCredentials(deps)
  const [used = 0] = await countUsedToday(deps, account.id, [countedKey(key)])
  return viewKey(key, used)
}

/** Deletes a key permanently. Throws like toggleToken. */
export async function deleteToken(deps: Deps, { account }: SessionCaller, tokenId: number): Promise<void> {
  if (!(await deleteKey(deps.db, account.id, tokenId))) throw await explainRefusal(deps, account.id, tokenId)
  forgetCredentials(deps)
}

async function explainRefusal(deps: Deps, accountId: number, tokenId: number): Promise<ApiError> {
  const isRevoked = (await listKeys(deps.db, accountId)).some((key) => key.id === tokenId)
  return new ApiError(isRevoked ? 'api_key_revoked' : 'api_key_not_found')
}
