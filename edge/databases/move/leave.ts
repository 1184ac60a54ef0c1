import type { InStatement } from '@libsql/client/web'
import { OWNED_TABLES } from '../table-owners.ts'
import { groupUpTo } from './group-up-to.ts'
import type { Route } from './route.ts'
import { SPECIALS } from './specials.ts'
import { dropTriggers } from './triggers.ts'

/**
 * Texts by which an account is found. They are made unknown instead of deleted: a request that found the account before
 * checks its credential again by id, and must get 503 from its commit, not 401.
 */
const FOUND_BY = [
  ['api_keys', 'hash'],
  ['email_preferences', 'unsubscribe_token'],
  ['messenger_links', 'token_hash'],
  ['password_resets', 'token_hash'],
  ['upload_sessions', 'token_hash'],
] as const

/** Takes the rows out of scheduled tasks, some of which ask a provider before they write. */
const NOT_DUE = [
  `DELETE FROM webhook_attempts WHERE delivery_id IN
    (SELECT id FROM webhook_deliveries WHERE account_id = ? AND status = 'pending')`,
  `DELETE FROM webhook_deliveries WHERE account_id = ? AND status = 'pending'`,
  `UPDATE jobs SET heard_at = 8640000000000000 WHERE account_id = ? AND status IN ('queued', 'processing')`,
  'UPDATE orders SET next_poll_at = NULL WHERE account_id = ?',
  'UPDATE refunds SET next_poll_at = NULL WHERE account_id = ?',
  'UPDATE subscriptions SET mandate = NULL, cancel_token = NULL WHERE account_id = ?',
]

/** Makes a commit fail unless it belongs to this move: another command may have ended it, and the account may be back. */
export function guardMove(account: number, move_id: string): InStatement {
  return {
    sql: `INSERT INTO commit_guards SELECT 0
      WHERE (SELECT move_id FROM account_moves WHERE account_id = ?) IS NOT ?`,
    args: [account, move_id],
  }
}

/**
 * The commit after which the account is in the target: nothing finds it in the source any more. Its other rows stay for a
 * while, for requests that still read them.
 */
export async function leave({ account, source }: Route, move_id: string): Promise<void> {
  const ofAccount = (sql: string): InStatement => ({ sql, args: [account] })
  await source.batch(
    [
      guardMove(account, move_id),
      // Two commands cannot both leave, and an account that goes on in the source cannot.
      ofAccount(`INSERT INTO commit_guards
        SELECT 0 WHERE (SELECT state FROM account_moves WHERE account_id = ?) IS NOT 'leaving'`),
      ...unrefused(account, [
        ...SPECIALS.filter(({ is_moved }) => is_moved).map(({ name, condition }) =>
          ofAccount(`DELETE FROM "${name}" WHERE ${condition}`),
        ),
        ...FOUND_BY.map(([name, column]) =>
          ofAccount(`UPDATE "${name}" SET "${column}" = 'left:' || "${column}" WHERE account_id = ?`),
        ),
        ...NOT_DUE.map(ofAccount),
        ofAccount(`UPDATE accounts SET email = 'left:' || id, email_key = 'left:' || id, public_key = 'left:' || id,
        idp_issuer = NULL, idp_subject = NULL WHERE id = ?`),
      ]),
      {
        sql: `INSERT OR REPLACE INTO account_departures (account_id, target, left_at)
          SELECT account_id, target, ? FROM account_moves WHERE account_id = ?`,
        args: [Date.now(), account],
      },
    ],
    'write',
  )
}

const ROWS_AT_ONCE = 2000

/** Deletes what the account left behind. Repeating it continues where it was interrupted. */
export async function removeRows(route: Route, move_id: string): Promise<void> {
  const { account, source, target } = route
  const guards = await readDeleteGuards(route)
  const tables = await countRows(route)
  for (const group of groupUpTo(tables, ROWS_AT_ONCE, ({ rows }) => rows)) {
    const removed = group.map(({ name, isOwned }) => ({
      guard: guards.get(name),
      remove: {
        sql: `DELETE FROM "${name}" WHERE rowid IN (
          SELECT rowid FROM "${name}" WHERE ${isOwned} LIMIT ${ROWS_AT_ONCE})`,
        args: [account],
      },
    }))
    // Nobody sees a table without the trigger that keeps it append-only: other writers wait for the commit.
    const statements = removed.flatMap(({ guard, remove }) =>
      guard === undefined ? [remove] : [`DROP TRIGGER "${guard.name}"`, remove, guard.sql],
    )
    const guarded = [guardMove(account, move_id), ...unrefused(account, statements)]
    const places = removed.map(({ remove }) => guarded.indexOf(remove))
    for (let deleted = ROWS_AT_ONCE; deleted >= ROWS_AT_ONCE; ) {
      const results = await source.batch(guarded, 'write')
      deleted = Math.max(...places.map((place) => results[place]?.rowsAffected ?? 0))
    }
  }
  await target.execute({ sql: 'DELETE FROM account_arrivals WHERE move_id = ?', args: [move_id] })
  // With its last row, the account has no state here any more, so it can return.
  await source.batch(
    [
      guardMove(account, move_id),
      { sql: `UPDATE account_moves SET state = 'removing' WHERE account_id = ?`, args: [account] },
      { sql: 'DELETE FROM accounts WHERE id = ?', args: [account] },
      { sql: 'DELETE FROM account_changes WHERE account_id = ?', args: [account] },
      { sql: 'DELETE FROM account_moves WHERE account_id = ?', args: [account] },
    ],
    'write',
  )
  await dropTriggers(source)
}

/** Lists the tables that have rows of the account, children first, with their number or a larger one than fits a commit. */
async function countRows({ account, source }: Route) {
  const tables = OWNED_TABLES.filter(({ name }) => name !== 'accounts').toReversed()
  const results = await source.batch(
    tables.map(({ name, isOwned }) => ({
      sql: `SELECT count(*) AS rows FROM (SELECT 1 FROM "${name}" WHERE ${isOwned} LIMIT ${ROWS_AT_ONCE + 1})`,
      args: [account],
    })),
    'read',
  )
  return tables
    .map((table, index) => ({ ...table, rows: Number(results[index]?.rows[0]?.rows) }))
    .filter(({ rows }) => rows > 0)
}

/** The triggers of moves let a commit pass in which the account has no state; afterwards it is the one that left. */
function unrefused(account: number, statements: readonly InStatement[]): InStatement[] {
  const become = (state: string) => ({
    sql: `UPDATE account_moves SET state = ? WHERE account_id = ? AND state <> 'copying'`,
    args: [state, account],
  })
  return [become('removing'), ...statements, become('left')]
}

/** Returns the triggers that refuse deletes, by table. */
async function readDeleteGuards({ source }: Route): Promise<Map<string, { name: string; sql: string }>> {
  const { rows } = await source.execute(
    `SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_no_delete'`,
  )
  return new Map(
    rows.map(({ tbl_name, name, sql }) => [String(tbl_name), { name: String(name), sql: String(sql) }]),
  )
}
