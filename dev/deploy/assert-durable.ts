import { createClient } from '@libsql/client'
import { isOfTurso } from '../../edge/environment/find-replicas.ts'

/** PRAGMA synchronous of a database that waits for its disk in each commit. */
const FULL = 2

/**
 * Checks that the database responds to a commit only once it is on disk. Turso is not asked, because it has storage of
 * its own.
 * @throws Error that names the remedy
 */
export async function assertDurable(url: string, authToken?: string): Promise<void> {
  if (isOfTurso(url)) return
  const client = createClient({ url, authToken })
  try {
    const { rows } = await client.execute('PRAGMA synchronous')
    if (Number(rows[0]?.synchronous) >= FULL) return
    throw new Error(
      `A power failure of the machine of ${url} would lose payments and charges: sqld does not wait for its disk. See "Durability" in docs/deploy.md.`,
    )
  } finally {
    client.close()
  }
}
