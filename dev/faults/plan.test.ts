import { expect, test } from 'vitest'
import { randomOf } from '../requests/random.ts'
import { applyDelivery, makeDeliveries, NEW_JOB } from './deliveries.ts'
import { FAULTS, planRound } from './plan.ts'

test('a seed plans the same rounds again, and all faults', () => {
  const rounds = Array.from({ length: 100 }, (_, number) => planRound(1, number))
  expect(Array.from({ length: 100 }, (_, number) => planRound(1, number))).toEqual(rounds)
  expect(new Set(rounds.map(({ fault }) => fault))).toEqual(new Set(FAULTS))
  expect(planRound(2, 0)).not.toEqual(planRound(1, 0))
})

test('deliveries in any order end a job at most once', () => {
  for (let number = 0; number < 200; number++) {
    const deliveries = makeDeliveries(randomOf(1, number), 'job', 1)
    let job = NEW_JOB
    const enders = new Set<number | null>()
    for (const delivery of deliveries) {
      job = applyDelivery(job, delivery).job
      enders.add(job.ended_by)
    }
    enders.delete(null)
    expect(enders.size).toBe(1)
  }
})
