import { deleteKey, listKeys, toggleKey } from '../../db/accounts.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { ApiError } from '../api-error.ts'
import { countUsedToday } from './used-today.ts'
import { viewKey } from './view.ts'

export async function listTokens(deps: Deps, { account }: SessionCaller) {
  const used = await countUsedToday(deps, account.id)
  return (await listKeys(deps.db, account.id)).map((key) => viewKey(key, used.get(key.id) ?? 0))
}

/** Pauses a live key or resumes a paused one. Throws 404, or 403 for a key that an administrator revoked. */
export async function toggleToken(deps: Deps, { account }: SessionCaller, tokenId: number) {
  const key = await toggleKey(deps.db, account.id, tokenId)
  if (key === undefined) throw await explainRefusal(deps, account.id, tokenId)
  forgetCredentials(deps)
  return viewKey(key, (await countUsedToday(deps, account.id)).get(key.id) ?? 0)
}

/** Deletes a key for good. Throws as toggleToken does. */
export async function deleteToken(deps: Deps, { account }: SessionCaller, tokenId: number): Promise<void> {
  if (!(await deleteKey(deps.db, account.id, tokenId))) throw await explainRefusal(deps, account.id, tokenId)
  forgetCredentials(deps)
}

async function explainRefusal(deps: Deps, accountId: number, tokenId: number): Promise<ApiError> {
  const isRevoked = (await listKeys(deps.db, accountId)).some((key) => key.id === tokenId)
  return isRevoked
    ? new ApiError(403, 'an administrator revoked this key; it cannot be enabled or deleted')
    : new ApiError(404, 'unknown API key')
}
