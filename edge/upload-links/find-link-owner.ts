import type { Deps } from '../deps.ts'
import { hashLinkToken } from './link-token.ts'
import { findOwnerByToken } from './queries.ts'

/** Returns the account that owns a link; undefined for an unknown link. */
export function findLinkOwner({ db }: Pick<Deps, 'db'>, token: string): Promise<number | undefined> {
  return findOwnerByToken(db, hashLinkToken(token))
}
