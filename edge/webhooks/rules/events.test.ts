import { expect, test } from 'vitest'
import { EVENT_TYPES, familyOf, isSubscribed, SUBSCRIPTIONS } from './events.ts'

test('an endpoint receives the types it lists, and all of them with *', () => {
  expect(isSubscribed(['job.done'], 'job.done')).toBe(true)
  expect(isSubscribed(['job.done'], 'job.failed')).toBe(false)
  expect(isSubscribed([], 'job.done')).toBe(false)
  for (const type of EVENT_TYPES) expect(isSubscribed(['*'], type)).toBe(true)
})

test('every type can be subscribed to, except tests', () => {
  expect(SUBSCRIPTIONS).toEqual(['*', ...EVENT_TYPES.filter((type) => type !== 'test')])
})

test('the family of a type is the part before the dot', () => {
  expect(['job.done', 'job.canceled', 'test'].map((type) => familyOf(type as 'test'))).toEqual([
    'job',
    'job',
    'test',
  ])
})
