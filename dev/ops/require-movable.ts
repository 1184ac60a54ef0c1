import { readMigrationFiles } from 'drizzle-orm/migrator'
import { listAccepting } from '../../edge/platform/database/known-databases.ts'
import { MIGRATIONS } from '../system/migrate.ts'
import type { OpsDeps } from './open-deps.ts'

/**
 * Checks that an account can move to a database, or that its move to there can be completed.
 * @throws Error if a database has other migrations than this version, or accounts are not placed in the target
 */
export async function requireMovable(
  databases: OpsDeps['databases'],
  account: number,
  to: number,
): Promise<void> {
  if (databases[to] === undefined) throw new Error(`There is no database ${to}.`)
  await requireMigrated(databases)
  if ((await listAccepting(databases, Date.now())).includes(to)) return
  if (await isMoving(databases, account, to)) return
  throw new Error(
    `Database ${to} accepts no accounts. Deploy the Worker with it in ACCOUNT_DATABASES, then wait two minutes.`,
  )
}

async function isMoving(databases: OpsDeps['databases'], account: number, to: number): Promise<boolean> {
  const found = await Promise.all(
    databases.map(({ $client }) =>
      $client.execute({
        sql: 'SELECT 1 FROM account_moves WHERE account_id = ? AND target = ?',
        args: [account, to],
      }),
    ),
  )
  return found.some(({ rows }) => rows.length > 0)
}

/** A move copies the columns that this version knows. @throws Error */
export async function requireMigrated(databases: OpsDeps['databases']): Promise<void> {
  const latest = readMigrationFiles({ migrationsFolder: MIGRATIONS }).at(-1)?.folderMillis
  for (const { $client, $number } of databases) {
    const { rows } = await $client.execute('SELECT max(created_at) AS latest FROM __drizzle_migrations')
    if (Number(rows[0]?.latest) === latest) continue
    throw new Error(
      `Database ${$number} has other migrations than this version. Run npm run migrate, or use the version that is deployed.`,
    )
  }
}
