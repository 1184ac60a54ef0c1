import type { Database } from '../../../edge/platform/database/client.ts'

const REMEDY = 'Remove them: npm run ops -- repair-databases'

/** Finds what is left of moves that do not exist: staging tables, triggers, and moves of unknown accounts. */
export async function checkMoves(databases: readonly Database[]): Promise<string[]> {
  // First: a move is recorded before its tables are created, and forgotten after they are dropped.
  const tables = await Promise.all(databases.map(readTables))
  const moves = await Promise.all(databases.map(readMoves))
  const moving = new Set(moves.flatMap((own) => own.map(({ account }) => account)))
  const targets = new Set(moves.flatMap((own) => own.map(({ target }) => target)))
  return databases.flatMap(({ $number }, index) => {
    const { staged = [], triggers = 0 } = tables[index] ?? {}
    const own = moves[index] ?? []
    const unknown = own.filter(({ is_known }) => !is_known)
    return [
      ...staged
        .filter((account) => !moving.has(account))
        .map(
          (account) =>
            `account ${account}: database ${$number} has staging tables of it, but it does not move. ${REMEDY}`,
        ),
      ...(triggers > 0 && own.length === 0 && !targets.has($number)
        ? [`database ${$number}: it has ${triggers} triggers of moves, but no account moves. ${REMEDY}`]
        : []),
      ...unknown.map(
        ({ account }) =>
          `account ${account}: database ${$number} has a move of it, but not the account. Remove it: npm run ops -- remove-copy ${account} --from ${$number}`,
      ),
    ]
  })
}

/** Returns the accounts of which a database has staging tables, and the number of its triggers of moves. */
export async function readTables({ $client }: Database): Promise<{ staged: number[]; triggers: number }> {
  const [tables, triggers] = await $client.batch(
    [
      `SELECT DISTINCT CAST(substr(name, 10) AS INTEGER) AS account FROM sqlite_master
        WHERE type = 'table' AND name GLOB 'arriving_[0-9]*'`,
      `SELECT count(*) AS total FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'account_move_*'`,
    ],
    'read',
  )
  return {
    staged: (tables?.rows ?? []).map(({ account }) => Number(account)),
    triggers: Number(triggers?.rows[0]?.total),
  }
}

export async function readMoves({
  $client,
}: Pick<Database, '$client'>): Promise<{ account: number; target: number; is_known: boolean }[]> {
  const { rows } = await $client.execute(
    'SELECT account_id, target, account_id IN (SELECT id FROM accounts) AS is_known FROM account_moves',
  )
  return rows.map(({ account_id, target, is_known }) => ({
    account: Number(account_id),
    target: Number(target),
    is_known: Number(is_known) === 1,
  }))
}
