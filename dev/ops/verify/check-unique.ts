import type { Row } from '@libsql/client/web'
import { OWN_ACCOUNTS } from '../../../edge/databases/adopt-restored.ts'
import type { Database } from '../../../edge/platform/database/client.ts'
import { groupByKey, readPages } from './read-pages.ts'

/** Finds email addresses and identities with accounts in several databases. */
export async function checkUnique(databases: readonly Database[]): Promise<string[]> {
  return [...(await checkAddresses(databases)), ...(await checkIdentities(databases))]
}

async function checkAddresses(databases: readonly Database[]): Promise<string[]> {
  const sql = `SELECT email_key AS key, id FROM accounts
    WHERE email_key > ? AND ${OWN_ACCOUNTS} ORDER BY email_key LIMIT ?`
  const found: string[] = []
  for await (const group of groupByKey(databases, sql, '')) {
    const ids = new Set(group.map(({ row }) => Number(row.id)))
    // An account that arrives is in two databases for a moment.
    if (ids.size < 2) continue
    const places = group.map(({ database, row }) => describe(Number(row.id), database))
    found.push(`${places.join(' and ')} have the same email address. ${REMEDY}`)
  }
  return found
}

const REMEDY = 'See "Two accounts of one person" in docs/runbook.md'
const describe = (id: number, database: number) => `account ${id} in database ${database}`

/** Far below the number of parameters of a statement. */
const IDENTITIES_AT_ONCE = 500

async function checkIdentities(databases: readonly Database[]): Promise<string[]> {
  const found: string[] = []
  for (const db of databases) {
    const others = databases.filter(({ $number }) => $number > db.$number)
    const sql = `SELECT id AS key, idp_issuer, idp_subject FROM accounts
      WHERE id > ? AND idp_subject IS NOT NULL ORDER BY id LIMIT ?`
    if (others.length === 0) break
    for await (const rows of readPages(db, sql, -1)) {
      for (let from = 0; from < rows.length; from += IDENTITIES_AT_ONCE) {
        const part = rows.slice(from, from + IDENTITIES_AT_ONCE)
        for (const other of others) found.push(...(await findLinked(db, other, part)))
      }
    }
  }
  return found
}

const identityOf = ({ idp_issuer, idp_subject }: Row) => JSON.stringify([idp_issuer, idp_subject])

async function findLinked(db: Database, other: Database, rows: readonly Row[]): Promise<string[]> {
  const { rows: linked } = await other.$client.execute({
    sql: `SELECT id, idp_issuer, idp_subject FROM accounts
      WHERE (idp_issuer, idp_subject) IN (VALUES ${rows.map(() => '(?, ?)').join(', ')})`,
    args: rows.flatMap(({ idp_issuer, idp_subject }) => [String(idp_issuer), String(idp_subject)]),
  })
  const byIdentity = new Map(rows.map((row) => [identityOf(row), Number(row.key)]))
  return linked.flatMap((row) => {
    const id = byIdentity.get(identityOf(row))
    if (id === undefined || id === Number(row.id)) return []
    const places = [describe(id, db.$number), describe(Number(row.id), other.$number)]
    return [`${places.join(' and ')} are linked to the same identity. ${REMEDY}`]
  })
}
