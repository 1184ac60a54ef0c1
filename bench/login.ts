import { Client } from '../dev/client.ts'
import { hashPassword } from '../edge/accounts/password-hash.ts'
import { insertAccount } from '../edge/accounts/queries.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { type Measure, measureBoth, type Order, type Round } from './measure.ts'
import { medianOf } from './statistics.ts'

const PAIRS_PER_ROUND = 100
const PAIRS_TO_WARM_UP = 10
/** Stays below the product's limit on failed logins per IP address. */
const ATTEMPTS_PER_IP = 10

/** Checks that the response time for a wrong password does not reveal whether an account exists. */
export const login: Measure = {
  name: 'login',
  title:
    'POST /auth/login with a wrong password: slower of registered and unregistered e-mail addresses, against the faster',
  unit: 'ms',
  goal: 1.05,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const { db, openAccount } = bench.system()
    const client = new Client((await openAccount()).client.apiUrl)
    const nextIp = makeIpSequence()
    const measure = async (order: Order, pairs: number) =>
      measurePairs(order, client, await openAccounts(db, pairs), nextIp)
    await measure('ours first', PAIRS_TO_WARM_UP)
    return { round: (order) => measure(order, PAIRS_PER_ROUND), close: async () => undefined }
  },
}

/** Inserts accounts as registration does. They share one hash, because no attempt uses the right password. */
async function openAccounts(db: Database, count: number): Promise<string[]> {
  const passwordHash = await hashPassword(crypto.randomUUID())
  const emails = Array.from({ length: count }, makeEmail)
  for (const email of emails) {
    const account = {
      email,
      emailKey: email,
      addressHash: '',
      mailboxHashes: [],
      fullName: null,
      passwordHash,
      isAdmin: false,
    }
    await insertAccount(db, { ...account, createdAt: Date.now() })
  }
  return emails
}

/** Tries each address once, as account enumeration would. The side that goes first alternates. */
async function measurePairs(
  order: Order,
  client: Client,
  known: string[],
  nextIp: () => string,
): Promise<Round> {
  const ours: number[] = []
  const reference: number[] = []
  let pairOrder = order
  for (const email of known) {
    const times = await measureBoth(
      pairOrder,
      () => timeFailedLogin(client, email, nextIp()),
      () => timeFailedLogin(client, makeEmail(), nextIp()),
    )
    ours.push(times.ours)
    reference.push(times.reference)
    pairOrder = pairOrder === 'ours first' ? 'reference first' : 'ours first'
  }
  // A difference in either direction reveals whether the account exists.
  const medians = [medianOf(ours), medianOf(reference)]
  return { ours: Math.max(...medians), reference: Math.min(...medians) }
}

async function timeFailedLogin(client: Client, email: string, ip: string): Promise<number> {
  const attempt = { email, password: 'not the password' }
  const start = performance.now()
  const response = await client.send('POST', '/api/v1/auth/login', attempt, { 'cf-connecting-ip': ip })
  const body = await response.text()
  const latency_ms = performance.now() - start
  if (response.status !== 401) throw new Error(`POST /auth/login responded with ${response.status}: ${body}`)
  return latency_ms
}

function makeIpSequence(): () => string {
  let attempts = 0
  return () => {
    const number = Math.floor(attempts++ / ATTEMPTS_PER_IP)
    return `10.0.${Math.floor(number / 256)}.${number % 256}`
  }
}

/** Makes a unique address. All addresses have the same length, so the length does not affect the timing. */
function makeEmail(): string {
  return `${crypto.randomUUID()}@localhost.test`
}
