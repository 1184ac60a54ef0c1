import { Client } from '../dev/client.ts'
import { hashPassword } from '../edge/accounts/password-hash.ts'
import { insertAccount } from '../edge/accounts/queries.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { type Measure, measureBoth, type Order, type Round } from './measure.ts'
import { medianOf } from './statistics.ts'

const PAIRS_PER_ROUND = 100
const PAIRS_TO_WARM_UP = 10
/** Fewer failed sign-ins than the product lets one network have. */
const ATTEMPTS_PER_NETWORK = 10

/** How long a wrong password takes for an address that has an account: it must not tell of it. */
export const login: Measure = {
  name: 'login',
  title:
    'POST /auth/login with a wrong password: the slower of a known and an unknown address, against the other',
  unit: 'ms',
  goal: 1.05,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const { db, openAccount } = bench.system()
    const visitor = new Client((await openAccount()).client.apiUrl)
    const nextNetwork = countNetworks()
    const measure = async (order: Order, pairs: number) =>
      measurePairs(order, visitor, await openAccounts(db, pairs), nextNetwork)
    await measure('ours first', PAIRS_TO_WARM_UP)
    return { round: (order) => measure(order, PAIRS_PER_ROUND), close: async () => undefined }
  },
}

/** As registration leaves them. One hash serves all, as none of their passwords is ever right. */
async function openAccounts(db: Database, count: number): Promise<string[]> {
  const passwordHash = await hashPassword(crypto.randomUUID())
  const emails = Array.from({ length: count }, freshEmail)
  for (const email of emails) {
    const account = { email, emailKey: email, fullName: null, passwordHash, isAdmin: false }
    await insertAccount(db, { ...account, createdAt: Date.now() })
  }
  return emails
}

/** Each address is asked once, as by somebody who looks for accounts; both sides take turns at being first. */
async function measurePairs(
  order: Order,
  visitor: Client,
  known: string[],
  nextNetwork: () => string,
): Promise<Round> {
  const ours: number[] = []
  const reference: number[] = []
  let turn = order
  for (const email of known) {
    const times = await measureBoth(
      turn,
      () => timeFailure(visitor, email, nextNetwork()),
      () => timeFailure(visitor, freshEmail(), nextNetwork()),
    )
    ours.push(times.ours)
    reference.push(times.reference)
    turn = turn === 'ours first' ? 'reference first' : 'ours first'
  }
  // Whichever is answered sooner, it tells as much.
  const medians = [medianOf(ours), medianOf(reference)]
  return { ours: Math.max(...medians), reference: Math.min(...medians) }
}

async function timeFailure(visitor: Client, email: string, network: string): Promise<number> {
  const attempt = { email, password: 'not the password' }
  const start = performance.now()
  const response = await visitor.send('POST', '/api/v1/auth/login', attempt, { 'cf-connecting-ip': network })
  const answer = await response.text()
  const latency_ms = performance.now() - start
  if (response.status !== 401) throw new Error(`a wrong password was answered ${response.status}: ${answer}`)
  return latency_ms
}

function countNetworks(): () => string {
  let attempts = 0
  return () => {
    const number = Math.floor(attempts++ / ATTEMPTS_PER_NETWORK)
    return `10.0.${Math.floor(number / 256)}.${number % 256}`
  }
}

/** All of one length. */
function freshEmail(): string {
  return `${crypto.randomUUID()}@localhost.test`
}
