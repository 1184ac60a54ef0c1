import type { Deps } from '../deps.ts'
import { atRow, findAnywhere } from '../platform/database/find-place.ts'
import { hashLinkToken } from './link-token.ts'
import { findOwnerByToken } from './queries.ts'

/** Returns the account that owns a link; undefined for an unknown link. */
export async function findLinkOwner(deps: Deps, token: string): Promise<number | undefined> {
  const hash = hashLinkToken(token)
  return (await findAnywhere(deps, ({ db }) => findOwnerByToken(db, hash)))?.found
}

/** Returns the dependencies for the account that owns a link. The link itself names no account. */
export function atLink(deps: Deps, token: string): Promise<Deps> {
  const hash = hashLinkToken(token)
  return atRow(deps, ({ db }) => findOwnerByToken(db, hash))
}
