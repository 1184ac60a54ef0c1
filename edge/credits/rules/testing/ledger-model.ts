import { isPageEnough } from '../grant-page.ts'
import {
  type Allocation,
  type Change,
  type Credits,
  charge,
  compareBurnOrder,
  deduct,
  expire,
  GRANT_KINDS,
  type Grant,
  type GrantKind,
  grant,
  refund,
  unchanged,
  withdrawGrants,
} from '../ledger.ts'

/**
 * Checks the credit rules against a model that is too simple to be wrong: it stores every credit separately, with
 * its grant and the job that spent it. Both run the same commands. After each command, every grant must match.
 */

const HOUR_MS = 60 * 60 * 1000
const COMMANDS_PER_ACCOUNT = 250

/** Creates a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A single credit. */
interface Credit {
  grant: number
  kind: GrantKind
  expires_at: number | null
  job: string | null
  gone: boolean
}

interface Account {
  now: number
  sequence: number
  /** The grants that the database would hold. */
  grants: Map<number, Grant>
  balance: number
  jobs: Map<string, Map<number, number>>
  model: Credit[]
}

/** Runs commands on several accounts. Throws at the first difference and names the seed and the command. */
export function runLedgerModel({ seed, commands }: { seed: number; commands: number }): void {
  const random = randomFrom(seed)
  for (let done = 0; done < commands; done += COMMANDS_PER_ACCOUNT) {
    const account: Account = {
      now: 0,
      sequence: 0,
      grants: new Map(),
      balance: 0,
      jobs: new Map(),
      model: [],
    }
    for (let index = 0; index < Math.min(COMMANDS_PER_ACCOUNT, commands - done); index++) {
      step(account, random)
      const difference = compare(account)
      if (difference) throw new Error(`seed ${seed}, command ${done + index}: ${difference}`)
    }
  }
}

function step(account: Account, random: () => number): void {
  const pick = (below: number) => Math.floor(random() * below)
  const dice = random()
  account.now += pick(6) * HOUR_MS
  expireGrants(account)
  if (dice < 0.35) give(account, pick)
  else if (dice < 0.75) spend(account, 1 + pick(40))
  else if (dice < 0.92) giveBack(account, pick)
  else if (dice < 0.95) correct(account, 1 + pick(40))
  else withdrawCredits(account, pick)
}

/**
 * Loads the first live grants in spending order, the way the database does, or all of them if those are not enough.
 */
function decide(account: Account, rule: (credits: Credits) => Change | null, spends_max = 0): Change | null {
  const live = [...account.grants.values()].filter(({ left }) => left > 0).sort(compareBurnOrder)
  const load = (grants_max: number): Credits => ({
    sequence: account.sequence,
    balance: account.balance,
    grants: live.slice(0, grants_max),
  })
  const first = load(2)
  const page = { partial: live.length >= 2, settled: expire(first, account.now) }
  return rule(isPageEnough(page, spends_max) ? first : load(Number.POSITIVE_INFINITY))
}

function write(account: Account, change: Change | null): void {
  for (const entry of change?.entries ?? []) {
    const { sequence, amount, balance_after, allocations, grant: made, job_id } = entry
    const continues = sequence === account.sequence + 1 && balance_after === account.balance + amount
    if (!continues || balance_after < 0) throw new Error(`entry ${sequence} does not continue the ledger`)
    account.sequence = sequence
    account.balance = balance_after
    if (made) account.grants.set(sequence, { ...made })
    for (const allocation of allocations) move(account, allocation)
    if (job_id && amount < 0) {
      account.jobs.set(job_id, new Map(allocations.map((each) => [each.grant_sequence, -each.amount])))
    }
  }
}

function move({ grants }: Account, { grant_sequence, amount }: Allocation): void {
  const held = grants.get(grant_sequence)
  if (held === undefined || held.left + amount < 0) throw new Error('a grant gave more than it held')
  held.left += amount
}

function expireGrants(account: Account): void {
  write(
    account,
    decide(account, (credits) => expire(credits, account.now)),
  )
  for (const credit of account.model) {
    if (credit.expires_at !== null && credit.expires_at <= account.now && credit.job === null)
      credit.gone = true
  }
}

function give(account: Account, pick: (below: number) => number): void {
  const kind = GRANT_KINDS[pick(GRANT_KINDS.length)] ?? 'adjust'
  const amount = 1 + pick(30)
  const expires_at = pick(3) === 0 ? null : account.now + (1 + pick(72)) * HOUR_MS
  write(
    account,
    decide(account, (credits) => grant(credits, { kind, amount, expires_at, cause: 'given' })),
  )
  addCredits(account, { grant: account.sequence, kind, expires_at }, amount)
}

function addCredits(
  account: Account,
  of: Pick<Credit, 'grant' | 'kind' | 'expires_at'>,
  amount: number,
): void {
  for (let count = 0; count < amount; count++) account.model.push({ ...of, job: null, gone: false })
}

function spend(account: Account, amount: number): void {
  const job = `job${account.sequence}`
  const change = decide(account, (credits) => charge(credits, amount, { cause: job, job_id: job }), amount)
  write(account, change)
  const free = account.model.filter((credit) => credit.job === null && !credit.gone)
  if ((change === null) !== free.length < amount) throw new Error(`a charge of ${amount} from ${free.length}`)
  if (change === null) return
  const order = ({ grant: sequence, kind, expires_at }: Credit) => ({ sequence, kind, left: 0, expires_at })
  free.sort((one, other) => compareBurnOrder(order(one), order(other)))
  for (const credit of free.slice(0, amount)) credit.job = job
}

/** Fails a job: each credit returns to its grant, or lasts one day if the grant has expired. */
function giveBack(account: Account, pick: (below: number) => number): void {
  const [job, allocated] = [...account.jobs][pick(account.jobs.size)] ?? []
  if (job === undefined || allocated === undefined) return
  account.jobs.delete(job)
  const allocation = [...allocated].map(([sequence, amount]) => {
    const held = account.grants.get(sequence)
    if (held === undefined) throw new Error('a job took from a grant that is not there')
    return { ...held, allocated: amount }
  })
  const before = account.sequence
  write(
    account,
    decide(account, (credits) => refund(credits, allocation, account.now, { cause: `${job}:back` })),
  )
  const isExpired = ({ expires_at }: Credit) => expires_at !== null && expires_at <= account.now
  const spent = account.model.filter((credit) => credit.job === job)
  for (const credit of spent) {
    credit.job = null
    credit.gone = isExpired(credit)
  }
  const made = [...account.grants.values()].filter(({ sequence }) => sequence > before)
  for (const { sequence, kind, expires_at, left } of made) {
    addCredits(account, { grant: sequence, kind, expires_at }, left)
  }
  const expired = spent.filter(({ gone }) => gone).length
  if (expired !== made.reduce((sum, { left }) => sum + left, 0)) throw new Error('a refund was not whole')
}

/** Removes credits the way an administrator does: administrative grants go first. */
function correct(account: Account, amount: number): void {
  const change = decide(
    account,
    (credits) => deduct(credits, amount, { cause: 'corrected' }),
    Number.POSITIVE_INFINITY,
  )
  write(account, change)
  const free = account.model.filter((credit) => credit.job === null && !credit.gone)
  if ((change === null) !== free.length < amount) throw new Error(`a removal of ${amount} of ${free.length}`)
  if (change === null) return
  const order = ({ grant: sequence, kind, expires_at }: Credit) => ({ sequence, kind, left: 0, expires_at })
  const spent = free.sort((one, other) => compareBurnOrder(order(one), order(other)))
  const given = spent.filter(({ kind }) => kind === 'adjust')
  const others = spent.filter(({ kind }) => kind !== 'adjust')
  for (const credit of [...given, ...others].slice(0, amount)) credit.gone = true
}

/** Refunds an order by removing the credits that its grants still hold. */
function withdrawCredits(account: Account, pick: (below: number) => number): void {
  const sequences = [...account.grants.keys()].filter(() => pick(4) === 0)
  const credits = {
    sequence: account.sequence,
    balance: account.balance,
    grants: [...account.grants.values()].filter(({ left }) => left > 0),
  }
  write(
    account,
    sequences.length === 0 ? unchanged(credits) : withdrawGrants(credits, sequences, { cause: 'paid' }),
  )
  for (const credit of account.model) {
    if (credit.job === null && sequences.includes(credit.grant)) credit.gone = true
  }
}

/** @returns the difference, or null if there is none. */
function compare(account: Account): string | null {
  const free = account.model.filter((credit) => credit.job === null && !credit.gone)
  if (free.length !== account.balance) return `balance ${account.balance}, by the model ${free.length}`
  const byModel = new Map<number, number>()
  for (const { grant: sequence } of free) byModel.set(sequence, (byModel.get(sequence) ?? 0) + 1)
  const byRules = new Map(
    [...account.grants].flatMap(([sequence, { left }]) => (left > 0 ? [[sequence, left]] : [])),
  )
  const listed = (left: Map<number, number>) =>
    JSON.stringify([...left].sort(([one], [other]) => one - other))
  if (listed(byModel) === listed(byRules)) return null
  return `grants hold ${listed(byRules)}, by the model ${listed(byModel)}`
}
