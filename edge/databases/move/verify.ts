import type { InStatement } from '@libsql/client/web'
import { OWNED_TABLES } from '../table-owners.ts'
import type { Route } from './route.ts'
import { SPECIALS } from './specials.ts'
import { stagingOf } from './staging.ts'

/**
 * Returns figures about all columns, which both databases must give: the lengths of all values, and the sums of all whole
 * numbers. Remainders, because SQLite adds whole numbers exactly only below 2^63. Reads no long text.
 */
function figuresOf(columns: readonly string[]): string {
  const sums = columns.flatMap((column) => [
    `sum(octet_length("${column}"))`,
    `sum(CASE typeof("${column}") WHEN 'integer' THEN "${column}" % 1000000007 END)`,
  ])
  return ['count(*) AS rows', ...sums].join(', ')
}

/**
 * Compares the copy with the source, in which nothing of the account changes any more.
 * @returns statements that make the commit of the copy fail if it changed after the comparison, by another command
 * @throws Error that names the first difference
 */
export async function verifyCopy({ account, source, target }: Route): Promise<InStatement[]> {
  const tables = [
    ...OWNED_TABLES.map(({ name, columns, isOwned }) => ({ name, columns, condition: isOwned })),
    ...SPECIALS.filter(({ is_moved }) => is_moved),
  ]
  const [originals, copies] = await Promise.all([
    source.batch(
      tables.map(({ name, columns, condition }) => ({
        sql: `SELECT ${figuresOf(columns)} FROM "${name}" WHERE ${condition}`,
        args: [account],
      })),
      'read',
    ),
    target.batch(
      tables.map(({ name, columns }) => `SELECT ${figuresOf(columns)} FROM "${stagingOf(account, name)}"`),
      'read',
    ),
  ])
  for (const [index, { name }] of tables.entries()) {
    const [original, copy] = [originals[index]?.rows[0], copies[index]?.rows[0]].map((row) =>
      JSON.stringify(row === undefined ? null : Object.values(row)),
    )
    // A task may acknowledge an effect while it is copied; sending it twice changes nothing.
    if (original !== copy && name !== 'outbox') {
      throw new Error(`The copy of ${name} differs: ${copy} instead of ${original}. Run the command again.`)
    }
  }
  return tables.map(({ name }, index) => ({
    sql: `INSERT INTO commit_guards
      SELECT 0 WHERE (SELECT count(*) FROM "${stagingOf(account, name)}") <> ?`,
    args: [Number(copies[index]?.rows[0]?.rows)],
  }))
}
