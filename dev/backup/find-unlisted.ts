import type { Client } from '@libsql/client'

/**
 * Finds databases that may have accounts, and are not among the first `count`: ACCOUNT_DATABASES of the command is not
 * that of the Worker.
 */
export async function findUnlisted(home: Pick<Client, 'execute'>, count: number): Promise<number[]> {
  const { rows: tables } = await home.execute(
    `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'account_databases'`,
  )
  if (tables.length === 0) return []
  const { rows } = await home.execute({
    sql: 'SELECT number FROM account_databases WHERE number >= ? ORDER BY number',
    args: [count],
  })
  return rows.map(({ number }) => Number(number))
}
