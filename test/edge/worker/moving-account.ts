import { expect } from 'vitest'
import { forgetCredentials } from '../../../edge/accounts/authenticate.ts'
import { type FullAccount, readAllRows, registerFull } from './full-account.ts'
import { giveCredits, ledgerOf } from './people.ts'
import { inDatabase, type SpreadContext } from './spread-context.ts'

const LEFT_OVER = `SELECT name FROM sqlite_master WHERE name GLOB 'account_move_*' OR name GLOB 'arriving_*'
  UNION ALL SELECT 'move ' || account_id FROM account_moves
  UNION ALL SELECT 'arrival ' || account_id FROM account_arrivals
  UNION ALL SELECT 'change ' || account_id FROM account_changes`

/** An account that moves back and forth, with what must be true of it at any time. */
export interface MovingAccount extends FullAccount {
  /** Number of the database where it is between moves. */
  place: number
  /**
   * Reads and writes as users do, and grants credits in each database.
   * @returns the rows that the account must have in the end
   */
  use(): Promise<Record<string, unknown[][]>>
  /** Checks that the account is only in one database, with these rows, and that nothing is left of its moves. */
  expectMoved(place: number, rows: Record<string, unknown[][]>): Promise<void>
}

export async function makeMovingAccount(context: SpreadContext): Promise<MovingAccount> {
  const { call, home, other } = context
  const full = await registerFull(context)
  const { balance } = await ledgerOf(context, full)
  let granted = 0
  let uses = 0
  /** Whether a database accepts writes of the account. */
  const accepts = async (deps: typeof home) => {
    try {
      await giveCredits(inDatabase(context, deps), full, 1)
      granted += 1
      return true
    } catch {
      return false
    }
  }
  const use = async () => {
    uses += 1
    const { token, key, open_job } = full
    forgetCredentials(home)
    const reads = [
      await call('GET', '/api/v1/auth/me', { token }),
      await call('GET', `/api/v1/jobs/${open_job}`, { key }),
    ]
    expect(
      reads.map(({ status }) => status),
      reads.map(({ text }) => text).join(),
    ).toEqual([200, 200])
    const places = [await accepts(home), await accepts(other)]
    expect(places.filter(Boolean).length, 'databases in which it is active').toBeLessThan(2)
    const body = { locale: uses % 2 === 0 ? 'uk' : 'en' }
    const { status, text } = await call('PATCH', '/api/v1/auth/me', { token, body })
    const place = places.indexOf(true)
    // Until it has left the source, requests find it there.
    const allowed = place === -1 ? [503] : place === moving.place ? [200] : [200, 503]
    expect(allowed, text).toContain(status)
    const rows = await Promise.all([home, other].map((deps) => readAllRows(deps, full.id)))
    // Where no database accepts writes, the source has all rows: the copy is not active, or has just become so.
    return rows[place === -1 ? moving.place : place] ?? {}
  }
  const moving: MovingAccount = {
    ...full,
    place: 0,
    use,
    async expectMoved(place, rows) {
      const clients = [home, other]
      expect(await readAllRows(clients[place] ?? home, full.id)).toEqual(rows)
      for (const deps of clients) {
        const left = await deps.db.$client.execute(LEFT_OVER)
        expect(left.rows.map(Object.values)).toEqual([])
      }
      const elsewhere = await readAllRows(clients[1 - place] ?? home, full.id)
      expect(Object.entries(elsewhere).filter(([, found]) => found.length > 0)).toEqual([])
      forgetCredentials(home)
      expect(await ledgerOf(context, full)).toMatchObject({ check: { ok: true }, balance: balance + granted })
      moving.place = place
    },
  }
  return moving
}
