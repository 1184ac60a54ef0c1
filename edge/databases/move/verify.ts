import type { InStatement } from '@libsql/client/web'
import { OWNED_TABLES } from '../table-owners.ts'
import type { Route } from './copy.ts'
import { SPECIALS } from './specials.ts'
import { stagingOf } from './staging.ts'

/** Figures about the credits of an account: both databases must give the same. */
const CREDITS = [
  ['ledger', 'max(sequence), sum(amount), total(id), total(created_at), total(balance_after)'],
  ['grants', 'sum("left"), sum(amount), total(sequence)'],
  ['allocations', 'sum(amount), total(sequence), total(grant_sequence)'],
  ['jobs', 'total(moves), total(final_cost), total(estimated_cost), total(heard_at)'],
  ['orders', 'total(moves), total(actually_paid_cents)'],
] as const

/**
 * Compares the copy with the source, in which nothing of the account changes any more.
 * @returns statements that make the commit of the copy fail if it changed after the comparison, by another command
 * @throws Error that names the first difference
 */
export async function verifyCopy({ account, source, target }: Route): Promise<InStatement[]> {
  const tables = [
    ...OWNED_TABLES.map(({ name, isOwned }) => ({ name, condition: isOwned })),
    ...SPECIALS.filter(({ is_moved }) => is_moved),
  ]
  const figuresOf = (name: string) => CREDITS.find(([table]) => table === name)?.[1] ?? '0'
  const [originals, copies] = await Promise.all([
    source.batch(
      tables.map(({ name, condition }) => ({
        sql: `SELECT count(*) AS rows, ${figuresOf(name)} FROM "${name}" WHERE ${condition}`,
        args: [account],
      })),
      'read',
    ),
    target.batch(
      tables.map(
        ({ name }) => `SELECT count(*) AS rows, ${figuresOf(name)} FROM "${stagingOf(account, name)}"`,
      ),
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
