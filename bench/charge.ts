import { join } from 'node:path'
import { makeSecrets } from '../dev/system/secrets.ts'
import { startDatabase } from '../dev/system/system.ts'
import { insertAccount } from '../edge/accounts/queries.ts'
import { changeCredits, settleAccount } from '../edge/credits/change-credits.ts'
import { loadCredits } from '../edge/credits/queries.ts'
import { charge } from '../edge/credits/rules/ledger.ts'
import type { Deps } from '../edge/deps.ts'
import { type Database, openDatabase } from '../edge/platform/database/client.ts'
import { fillLedger, giveGrants } from './ledger-rows.ts'
import type { Measure, Order } from './measure.ts'
import { medianOf } from './statistics.ts'

const PAIRS_PER_ROUND = 200
const COST = 2

const LIVE_GRANTS = 1000
const ROWS_MANY = 1_000_000
const ROWS_FEW = 1000

/** How many charges an account that holds a thousand grants can be made, against one that holds a single one. */
export const chargeGrants: Measure = {
  name: 'charge-grants',
  title: `charges of an account with ${LIVE_GRANTS} live grants, against one with a single grant`,
  unit: 'charges/s',
  goal: 0.8,
  direction: 'at least',
  needsSystem: false,
  async open({ folder }) {
    const { db, stop } = await openLedger(join(folder, 'charge-grants'))
    const rich = { db, account_id: await openAccount(db, LIVE_GRANTS) }
    const plain = { db, account_id: await openAccount(db, 1) }
    await measurePairs(rich, plain, 'ours first')
    return { round: (order) => measurePairs(rich, plain, order), close: stop }
  },
}

/** The same for a ledger of a million rows, against one of a thousand. */
export const chargeLedger: Measure = {
  name: 'charge-ledger',
  title: `charges of an account with ${ROWS_MANY} ledger rows, against one with ${ROWS_FEW}, each in a database of its own`,
  unit: 'charges/s',
  goal: 0.8,
  direction: 'at least',
  needsSystem: false,
  async open({ folder }) {
    const many = await openLedger(join(folder, 'charge-many'))
    const few = await openLedger(join(folder, 'charge-few'))
    const long = { db: many.db, account_id: await openAccount(many.db, 1, ROWS_MANY) }
    const short = { db: few.db, account_id: await openAccount(few.db, 1, ROWS_FEW) }
    await measurePairs(long, short, 'ours first')
    return {
      round: (order) => measurePairs(long, short, order),
      close: async () => {
        await many.stop()
        await few.stop()
      },
    }
  },
}

interface Payer {
  db: Database
  account_id: number
}

/** A real database alone: all else that a request does costs the same for both. */
async function openLedger(dataDirectory: string) {
  const database = await startDatabase({ dataDirectory, secrets: makeSecrets(), settings: {} })
  const db = openDatabase(database.url, undefined)
  const stop = async () => {
    db.$client.close()
    await database.stop()
  }
  return { db, stop }
}

/** An account whose ledger has so many rows and that holds so many grants; its daily allowance is there. */
async function openAccount(db: Database, grants: number, rows = 0): Promise<number> {
  const email = `${crypto.randomUUID()}@localhost.test`
  const account = await insertAccount(db, {
    email,
    emailKey: email,
    fullName: null,
    passwordHash: null,
    isAdmin: false,
    createdAt: Date.now(),
  })
  if (account === null) throw new Error('the address is taken')
  await fillLedger(db, account.id, rows)
  await giveGrants(db, account.id, grants)
  await settleAccount({ db, clock: Date }, account.id)
  return account.id
}

/** One charge, one of the other, and so on. */
async function measurePairs(ours: Payer, reference: Payer, order: Order) {
  const times: [number[], number[]] = [[], []]
  const [ofOurs, ofReference] = times
  for (let pair = 0; pair < PAIRS_PER_ROUND; pair += 1) {
    if (order === 'reference first') ofReference.push(await timeCharge(reference))
    ofOurs.push(await timeCharge(ours))
    if (order === 'ours first') ofReference.push(await timeCharge(reference))
  }
  return { ours: 1000 / medianOf(ofOurs), reference: 1000 / medianOf(ofReference) }
}

/** A charge as a submit makes it: load, decide and commit. In milliseconds. */
async function timeCharge({ db, account_id }: Payer): Promise<number> {
  const job_id = crypto.randomUUID()
  const start = performance.now()
  // A charge without effects reaches nothing else of the deps.
  const deps = { db, clock: Date } as Partial<Deps> as Deps
  await changeCredits(deps, account_id, {
    load: async (grants_max) => ({ loaded: await loadCredits(db, account_id, grants_max) }),
    spendsMax: () => COST,
    decide: (_facts, settled) => {
      const change = charge(settled, COST, { cause: `job:${job_id}:base`, job_id })
      if (change === null) throw new Error('the account of the benchmark has no credits left')
      return { change, answer: null }
    },
  })
  return performance.now() - start
}
