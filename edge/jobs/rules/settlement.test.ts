import { describe, expect, test } from 'vitest'
import { type Credits, charge, type GrantAllocation, grant } from '../../credits/rules/ledger.ts'
import { settleCost } from './settlement.ts'

const TARIFF = { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 }
const EMPTY: Credits = { sequence: 0, balance: 0, grants: [] }
const NOW = 1000

/** Grants credits, charges a job from them, and returns the remaining credits and the job. */
function afterSubmit(held: number, paid: number, expires_at: number | null = null) {
  const { credits } = grant(EMPTY, { kind: 'purchase', amount: held, expires_at, cause: 'bought' })
  const left =
    paid === 0 ? credits : (charge(credits, paid, { cause: 'job:j', job_id: 'j' })?.credits ?? EMPTY)
  const allocation: GrantAllocation = {
    sequence: 1,
    kind: 'purchase',
    left: held - paid,
    expires_at,
    allocated: paid,
  }
  return { credits: left, job: { id: 'j', tariff: TARIFF, allocations: paid === 0 ? [] : [allocation] } }
}

describe('a job that is done', () => {
  test.each([
    ['within its first minute', 10, 2, 60, 0, 2],
    ['just over a minute', 10, 2, 60.001, 1, 3],
    ['less than a millisecond over a minute', 10, 2, 60.0004, 0, 2],
    ['after ten minutes', 20, 2, 600, 9, 11],
    ['beyond the ceiling', 50, 2, 36_000, 28, 30],
    ['that paid more than its price', 10, 5, 30, 0, 5],
    ['of an account that can pay a part of the difference', 5, 2, 600, 3, 5],
    ['of an account with no credits left', 2, 2, 600, 0, 2],
    ['that paid nothing at submission', 10, 0, 61, 3, 3],
  ])('%s: with %i held and %i paid, %d s debit %i and cost %i', (_when, held, paid, seconds, debit, cost) => {
    const { credits, job } = afterSubmit(held, paid)
    const settled = settleCost(credits, job, { status: 'done', processing_seconds: seconds }, NOW)
    expect(settled.cost).toBe(cost)
    expect(settled.change.credits.balance).toBe(held - paid - debit)
    expect(
      settled.change.entries.map(({ entry_type, amount, cause, job_id }) => [
        entry_type,
        amount,
        cause,
        job_id,
      ]),
    ).toEqual(debit === 0 ? [] : [['debit', -debit, 'job:j:time', 'j']])
  })
})

describe('a job that failed', () => {
  test.each([
    ['whose grant is still valid', null, [['refund', 2, null, 'job:j:refund']]],
    ['whose grant has expired', NOW, [['refund', 2, NOW + 86_400_000, 'job:j:refund:1']]],
  ])('%s is refunded in full and costs nothing', (_what, expires_at, written) => {
    const { credits, job } = afterSubmit(10, 2, expires_at)
    const { change, cost } = settleCost(credits, job, { status: 'failed' }, NOW)
    expect(cost).toBe(0)
    expect(change.credits.balance).toBe(10)
    expect(
      change.entries.map(({ entry_type, amount, expires_at, cause }) => [
        entry_type,
        amount,
        expires_at,
        cause,
      ]),
    ).toEqual(written)
  })

  test('that paid nothing writes nothing', () => {
    const { credits, job } = afterSubmit(10, 0)
    expect(settleCost(credits, job, { status: 'failed' }, NOW)).toEqual({
      change: { entries: [], credits },
      cost: 0,
    })
  })
})
