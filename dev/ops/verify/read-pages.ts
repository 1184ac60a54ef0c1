import type { InValue, Row } from '@libsql/client/web'
import type { Database } from '../../../edge/platform/database/client.ts'

const ROWS_AT_ONCE = 5000

/** A row, and the number of the database that has it. */
export interface FoundRow {
  database: number
  row: Row
}

/**
 * Reads the pages of a query. Its parameters are the key after which a page begins and the number of rows; it returns
 * the key as `key` and sorts by it.
 */
export async function* readPages(
  { $client }: Pick<Database, '$client'>,
  sql: string,
  first: InValue,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const { rows } = await $client.execute({ sql, args: [after, ROWS_AT_ONCE] })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = last.key as InValue
  }
}

/** Reads a query like readPages from all databases together, and groups rows with the same key. */
export async function* groupByKey(
  databases: readonly Database[],
  sql: string,
  first: InValue,
): AsyncGenerator<FoundRow[]> {
  const heads = await Promise.all(
    databases.map(async (db) => {
      const rows = readRows(db, sql, first)
      return { database: db.$number, rows, next: await rows.next() }
    }),
  )
  for (;;) {
    const present = heads.flatMap((head) => (head.next.done ? [] : [{ head, row: head.next.value }]))
    const [lowest] = present.toSorted((one, other) => compare(one.row.key, other.row.key))
    if (lowest === undefined) return
    const group = present.filter(({ row }) => compare(row.key, lowest.row.key) === 0)
    for (const { head } of group) head.next = await head.rows.next()
    yield group.map(({ head, row }) => ({ database: head.database, row }))
  }
}

async function* readRows(db: Database, sql: string, first: InValue): AsyncGenerator<Row> {
  for await (const rows of readPages(db, sql, first)) yield* rows
}

/** Compares like SQLite: texts by their bytes. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') {
    return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other))
  }
  return Number(one) - Number(other)
}
