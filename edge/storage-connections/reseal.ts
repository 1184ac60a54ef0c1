import type { Deps } from '../deps.ts'
import { nameOfKey, openText, sealText } from '../platform/crypto/sealed-text.ts'
import { commit } from '../platform/database/commit.ts'
import { listSealedOtherwise, resealStatement } from './queries.ts'

const CONNECTIONS_MAX = 50

/**
 * Encrypts credentials that another key encrypted again with the first of STORAGE_KEYS, so that older keys can be
 * removed. A secret that none of the keys opens is tried once for each first key.
 */
export async function resealConnections({ db, env }: Deps): Promise<void> {
  const [key] = env.STORAGE_KEYS
  if (key === undefined) return
  const current = nameOfKey(key)
  const unreadable = `unreadable:${current}`
  const due = await listSealedOtherwise(db, [current, unreadable], CONNECTIONS_MAX)
  if (due.length === 0) return
  const statements = due.map((connection) => {
    const secret = openText(env.STORAGE_KEYS, connection.sealedSecret)
    const fields =
      secret === null
        ? { sealedWith: unreadable }
        : { sealedSecret: sealText([key], secret), sealedWith: current }
    return resealStatement(db, connection, fields)
  })
  await commit(db, statements)
}
