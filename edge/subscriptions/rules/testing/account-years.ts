import { randomFrom } from '../../../credits/rules/testing/ledger-model.ts'
import { isRenewing } from '../renewal.ts'
import { accessEnd } from '../terms.ts'
import { NOTICES, SimulatedAccount, type SimulatedTerm } from './simulated-account.ts'
import { chargeMandate, type SimulatedEvent } from './simulated-provider.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS
const START = Date.UTC(2026, 0, 1)

/**
 * Simulates account-years using the rules: people buy, spend, cancel and refund at any hour, and providers charge,
 * fail, and report twice, late or never. Throws at the first thing that did not happen exactly once; the error
 * names the seed and the account.
 * @returns totals that show that the simulation did real work.
 */
export function simulateAccounts({ seed, accounts }: { seed: number; accounts: number }) {
  const totals = { entries: 0, months: 0, terms: 0, charges: 0, notices: 0, withdrawn: 0 }
  for (let id = 1; id <= accounts; id++) {
    const account = new SimulatedAccount(id, START)
    try {
      live(account, randomFrom(seed * 1_000_003 + id))
      check(account)
    } catch (error) {
      throw new Error(`seed ${seed}, account ${id}: ${(error as Error).message}`, { cause: error })
    }
    totals.entries += account.entries.length
    totals.terms += account.terms.length
    for (const { months, landed, notices, withdrawn } of account.terms) {
      totals.months += months.length
      totals.charges += landed.length
      totals.notices += notices.length
      totals.withdrawn += withdrawn.length
    }
  }
  return totals
}

function live(account: SimulatedAccount, random: () => number): void {
  const pick = (below: number) => Math.floor(random() * below)
  let events: SimulatedEvent[] = []
  const end = START + YEAR_MS
  while (account.now < end) {
    account.now = Math.min(end, account.now + (1 + pick(36)) * HOUR_MS)
    for (const { mandate } of account.terms) {
      if (mandate !== null) events.push(...chargeMandate(mandate, account.now, pick))
    }
    // Events arrive out of order: half of the time, the newest due event comes first.
    const due = events.filter(({ delivered_at }) => delivered_at <= account.now)
    events = events.filter(({ delivered_at }) => delivered_at > account.now)
    for (const each of pick(2) === 0 ? due : due.reverse()) account.handleEvent(each)
    for (let times = pick(3); times > 0; times--) account.runScheduled()
    act(account, pick)
    checkMoment(account)
  }
  // Delivers all pending events and runs the handler until nothing changes.
  for (const each of events) account.handleEvent(each)
  for (let times = 0; times < 5; times++) account.runScheduled()
}

function act(account: SimulatedAccount, pick: (below: number) => number): void {
  const list = { list_cents: 500 + pick(2000), list_credits: 200 + 100 * pick(5) }
  const dice = pick(1000)
  if (dice < 300) account.spend(1 + pick(60))
  else if (dice < 310) account.buy({ ...list, months: 0, pack: 100, renews: false })
  else if (dice < 345) buyPlan(account, { ...list, pack: pick(3) === 0 ? 100 : null }, pick)
  else if (dice < 348) cancel(account)
  else if (dice < 351) account.withdraw(account.orders[pick(account.orders.length)]?.id ?? '')
}

function cancel(account: SimulatedAccount): void {
  account.cancel()
  const { term } = account
  must(term === null || !isRenewing(term), `${term?.id} renews after it was cancelled`)
}

/** Buys a plan. Renewal is sold only if the account has no term. */
function buyPlan(
  account: SimulatedAccount,
  bought: { list_cents: number; list_credits: number; pack: number | null },
  pick: (below: number) => number,
): void {
  account.runScheduled()
  // Most plans are bought when there is no term, so terms end and others start.
  if (account.term !== null && pick(6) > 0) return
  const months = [1, 1, 1, 3, 3, 6, 12][pick(7)] ?? 1
  const renews = account.term === null && bought.pack === null && pick(4) > 0
  account.buy({ ...bought, months: renews ? Math.min(months, 3) : months, renews })
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Checks what must be true at all times. */
function checkMoment({ grants, balance, now, terms }: SimulatedAccount): void {
  const held = [...grants.values()].reduce((sum, { left }) => sum + left, 0)
  must(held === balance, `the grants hold ${held}, the balance is ${balance}`)
  must(terms.filter(({ ended_at }) => ended_at === null).length <= 1, 'two terms at once')
  const live = [...grants.values()].filter(({ left, expires_at }) => left > 0 && (expires_at ?? 0) > now)
  for (const kind of ['daily_free', 'subscription']) {
    const own = live.filter((grant) => grant.kind === kind)
    must(own.length <= 1, `${own.length} live grants of ${kind}: allowances accumulate`)
  }
}

/** Checks what must be true at the end of a year. */
function check(account: SimulatedAccount): void {
  const { entries, grants, orders, lock, terms } = account
  must(new Set(entries.map(({ cause }) => cause)).size === entries.length, 'a cause was booked twice')
  let balance = 0
  for (const [index, entry] of entries.entries()) {
    balance += entry.amount
    must(
      entry.sequence === index + 1 && entry.balance_after === balance,
      `entry ${index + 1} does not follow`,
    )
  }
  for (const { sequence, amount, left, expires_at } of grants.values()) {
    const spent = entries.filter(({ allocations }) =>
      allocations.some(({ grant_sequence }) => grant_sequence === sequence),
    )
    const expiries = spent.filter(({ entry_type }) => entry_type === 'expire')
    must(expiries.length <= 1, `grant ${sequence} expired twice`)
    const isOver = expires_at !== null && expires_at <= account.now
    must(!isOver || left === 0, `grant ${sequence} outlived its end`)
    must(
      expiries.every(({ at }) => at >= (expires_at ?? Infinity)),
      `grant ${sequence} of ${amount} expired early`,
    )
  }
  must(
    orders.every(({ rate_cents, months }) => months === 0 || rate_cents <= (lock?.monthly_rate_cents ?? 0)),
    'a lock broke',
  )
  const allowances = entries.filter(({ entry_type }) => entry_type === 'subscription')
  for (const { at } of entries.filter(({ entry_type }) => entry_type === 'daily_free')) {
    const isPaid = allowances.some((paid) => paid.at < at && at < (paid.expires_at ?? 0))
    must(!isPaid, 'a daily allowance landed in addition to a plan')
  }
  for (const term of terms) checkTerm(account, term)
}

function checkTerm({ now, entries }: SimulatedAccount, term: SimulatedTerm): void {
  const { id, months, mandate, landed, notices, ended_at } = term
  for (const { number, starts_at, ends_at, delivered } of months) {
    const grants = entries.filter(({ cause }) => cause === `term:${id}:${number}`)
    must(
      grants.length === (starts_at <= now ? 1 : 0),
      `month ${number} of ${id} landed ${grants.length} times`,
    )
    must(delivered === grants.length > 0, `month ${number} of ${id} is not noted as it is`)
    const [landing] = grants
    must(
      !landing || (landing.at >= starts_at && landing.expires_at === ends_at),
      `month ${number} of ${id} landed wrong`,
    )
  }
  const charges = mandate?.charges ?? []
  must(new Set(landed).size === landed.length, `a charge of ${id} landed twice`)
  // Closed terms are not polled, so only they can miss an unreported charge.
  const missing = charges.filter(({ reference }) => !landed.includes(reference))
  must(
    ended_at !== null || term.renews_at === null || term.renews_at > now - HOUR_MS || missing.length === 0,
    `${id} lost a charge`,
  )
  const isKnown = missing.length === 0 && mandate?.open_reference === null
  const isOnTime = !isRenewing(term) || !isKnown || term.renews_at === mandate.next_charge_at
  must(isOnTime, `${id} says that it renews when its provider charges nothing`)
  const noticed = notices.map(({ renews_at }) => renews_at)
  must(new Set(noticed).size === noticed.length, `${id} gave notice of a charge twice`)
  const days = NOTICES.subscriptions_renewal_notice_days_annual
  must(
    notices.every(({ at, renews_at }) => at < renews_at && renews_at - at <= days * DAY_MS),
    'a notice came at the wrong time',
  )
  must(ended_at !== null || accessEnd(term) > now || term.renewal_status === 'active', `${id} stays open`)
  must(
    ended_at === null || mandate === null || mandate.next_charge_at === null,
    `the mandate of ${id} lives on`,
  )
}
