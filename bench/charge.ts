import { join } from 'node:path'
import { makeSecrets } from '../dev/system/secrets.ts'
import { startDatabase } from '../dev/system/system.ts'
import '../dev/system/worker-globals.ts'
import { insertAccount } from '../edge/accounts/queries.ts'
import { changeCredits, settleAccount } from '../edge/credits/change-credits.ts'
import { loadCredits } from '../edge/credits/queries.ts'
import { charge } from '../edge/credits/rules/ledger.ts'
import type { Deps } from '../edge/deps.ts'
import { type Database, openDatabase } from '../edge/platform/database/client.ts'
import { addGrants, fillLedger } from './ledger-rows.ts'
import type { Measure, Order } from './measure.ts'
import { medianOf } from './statistics.ts'

const PAIRS_PER_ROUND = 200
const COST = 2

const LIVE_GRANTS = 1000
const ROWS_MANY = 1_000_000
const ROWS_FEW = 1000

/** Compares the charge rate of an account that has many live grants with that of an account that has only one. */
export const chargeGrants: Measure = {
  name: 'charge-grants',
  title: `charges of an account with ${LIVE_GRANTS} live grants, against one with a single grant`,
  unit: 'charges/s',
  goal: 0.8,
  direction: 'at least',
  needsSystem: false,
  async open({ folder }) {
    const { db, stop } = await startLedger(join(folder, 'charge-grants'))
    const manyGrants = { db, account_id: await openAccount(db, LIVE_GRANTS) }
    const oneGrant = { db, account_id: await openAccount(db, 1) }
    await measurePairs(manyGrants, oneGrant, 'ours first')
    return { round: (order) => measurePairs(manyGrants, oneGrant, order), close: stop }
  },
}

/** Compares the charge rate of an account that has a long ledger with that of an account that has a short one. */
export const chargeLedger: Measure = {
  name: 'charge-ledger',
  title: `charges of an account with ${ROWS_MANY} ledger rows, against one with ${ROWS_FEW}, each in its own database`,
  unit: 'charges/s',
  goal: 0.8,
  direction: 'at least',
  needsSystem: false,
  async open({ folder }) {
    const many = await startLedger(join(folder, 'charge-many'))
    const few = await startLedger(join(folder, 'charge-few'))
    const longLedger = { db: many.db, account_id: await openAccount(many.db, 1, ROWS_MANY) }
    const shortLedger = { db: few.db, account_id: await openAccount(few.db, 1, ROWS_FEW) }
    await measurePairs(longLedger, shortLedger, 'ours first')
    return {
      round: (order) => measurePairs(longLedger, shortLedger, order),
      close: async () => {
        await many.stop()
        await few.stop()
      },
    }
  },
}

interface ChargedAccount {
  db: Database
  account_id: number
}

/** Starts only a real database, because the rest of a request costs the same for both sides. */
async function startLedger(dataDirectory: string) {
  const database = await startDatabase({ dataDirectory, secrets: makeSecrets(), settings: {} })
  const db = openDatabase(database.url, undefined)
  const stop = async () => {
    db.$client.close()
    await database.stop()
  }
  return { db, stop }
}

/** Creates an account with `rows` ledger rows, `grants` grants and the daily allowance. */
async function openAccount(db: Database, grants: number, rows = 0): Promise<number> {
  const email = `${crypto.randomUUID()}@localhost.test`
  const account = await insertAccount(db, {
    email,
    emailKey: email,
    addressHash: '',
    mailboxHashes: [],
    fullName: null,
    passwordHash: null,
    isAdmin: false,
    createdAt: Date.now(),
  })
  if (account === null) throw new Error('An account with this e-mail address already exists')
  await fillLedger(db, account.id, rows)
  await addGrants(db, account.id, grants)
  await settleAccount({ db, databases: [db], clock: Date }, account.id)
  return account.id
}

/** Alternates charges between both accounts to measure them under the same machine load. */
async function measurePairs(ours: ChargedAccount, reference: ChargedAccount, order: Order) {
  const [ours_ms, reference_ms]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < PAIRS_PER_ROUND; pair += 1) {
    if (order === 'reference first') reference_ms.push(await timeCharge(reference))
    ours_ms.push(await timeCharge(ours))
    if (order === 'ours first') reference_ms.push(await timeCharge(reference))
  }
  return { ours: 1000 / medianOf(ours_ms), reference: 1000 / medianOf(reference_ms) }
}

/** Charges as a submit does (load, decide, commit) and returns the latency in milliseconds. */
async function timeCharge({ db, account_id }: ChargedAccount): Promise<number> {
  const job_id = crypto.randomUUID()
  const start = performance.now()
  // A charge without effects uses no other dependencies.
  const deps: Partial<Deps> = { db, databases: [db], clock: Date }
  await changeCredits(deps as Deps, account_id, {
    load: async (grants_max) => ({ loaded: await loadCredits(db, account_id, grants_max) }),
    spendsMax: () => COST,
    decide: (_facts, settled) => {
      const change = charge(settled, COST, { cause: `job:${job_id}:base`, job_id })
      if (change === null) throw new Error('The benchmark account has no credits left')
      return { change, answer: null }
    },
  })
  return performance.now() - start
}
