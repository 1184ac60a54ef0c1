import { expect, test } from 'vitest'
import { type EventFacts, judgeEvent } from './torn-events.ts'

const grant = { account_id: 7, credits: 500, note: 'Paid twice' }
const event = { database: 0, id: 3, cause: 'unmatched_event:card:order:payment:500' }
const nothing = {
  ...{ ...event, outcome: null, grant: null },
  ...{ is_pending: false, is_booked: false, is_applied: false, has_term: true },
}

test.each<[string, Partial<EventFacts>, string | undefined]>([
  ['open', {}, undefined],
  ['open, but booked', { is_booked: true }, 'not_settled'],
  ['granted and booked', { outcome: 'granted', is_booked: true, grant }, undefined],
  ['granted and pending', { outcome: 'granted', is_pending: true, grant }, undefined],
  ['granted, but neither', { outcome: 'granted', grant }, 'not_granted'],
  ['granted to an account that is lost', { outcome: 'granted' }, undefined],
  ['applied', { outcome: 'applied', is_applied: true }, undefined],
  ['applied, but unknown to the term', { outcome: 'applied' }, 'not_applied'],
  ['applied to a term that is over', { outcome: 'applied', has_term: false }, undefined],
])('an event that is %s', (_state, facts, fault) => {
  expect(judgeEvent({ ...nothing, ...facts })?.fault).toBe(fault)
})
