import { describe, expect, test } from 'vitest'
import { findLengthFault, findScriptSign, hasTooManyLinks, judgeFeedback, networkOf } from './spam.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = 100 * 24 * HOUR
const none = { duplicate: false, own: [], network: [], block: [], all: [] }
const visitor = { signed_in: false, per_hour: 60, now: NOW }
const member = { signed_in: true, per_hour: 60, now: NOW }

/**
 * Returns `count` past timestamps, newest first. The newest is `last` milliseconds old, and they are `apart`
 * milliseconds apart.
 */
const times = (count: number, apart: number, last = 0) =>
  Array.from({ length: count }, (_, index) => NOW - last - index * apart)

describe('the next message', () => {
  test.each([
    ['of a new sender', none, visitor, null],
    [
      'that is a duplicate, before any limit',
      { ...none, duplicate: true, own: [NOW] },
      visitor,
      'duplicate_message',
    ],
    ['of an address, within its pause', { ...none, own: [NOW - 15 * MINUTE + 1] }, visitor, 1],
    ['of an address, after its pause', { ...none, own: [NOW - 15 * MINUTE] }, visitor, null],
    ['of an address, the 5th', { ...none, own: times(4, HOUR, HOUR) }, visitor, null],
    ['of an address, the 6th', { ...none, own: times(5, HOUR, HOUR) }, visitor, 19 * 3600],
    ['of a network, the 10th', { ...none, network: times(9, MINUTE) }, visitor, null],
    ['of a network, the 11th', { ...none, network: times(10, MINUTE) }, visitor, 51 * 60],
    ['of a block, the 30th', { ...none, block: times(29, MINUTE) }, visitor, null],
    ['of a block, the 31st', { ...none, block: times(30, MINUTE) }, visitor, 31 * 60],
    ['of an account, within its pause', { ...none, own: [NOW - MINUTE] }, member, 60],
    ['of an account, the 20th', { ...none, own: times(19, HOUR, HOUR) }, member, null],
    ['of an account, the 21st', { ...none, own: times(20, HOUR, HOUR) }, member, 4 * 3600],
    [
      'of an account in a network that reached its limit',
      { ...none, network: times(10, MINUTE) },
      member,
      null,
    ],
    ['when the limit for everybody is reached', { ...none, all: times(60, 1000) }, member, 3541],
    ['when the limit for everybody is zero', none, { ...visitor, per_hour: 0 }, 3600],
    [
      'with two limits exceeded waits for the later one',
      { ...none, own: times(5, HOUR) },
      visitor,
      20 * 3600,
    ],
  ])('%s', (_name, facts, by, expected) => {
    const refusal = judgeFeedback(facts, by)
    const isLimit = refusal?.code === 'too_many_messages'
    expect(isLimit ? refusal.facts.retry_after_seconds : (refusal?.code ?? null)).toBe(expected)
  })
})

describe('a form', () => {
  const site = 'https://media.example.com'
  const good = { origin: site, fetch_site: 'same-origin', form_age_ms: 3000 }
  test.each([
    [{}, true],
    [{ origin: null }, false],
    [{ origin: 'null' }, false],
    [{ origin: `${site}.evil.example` }, false],
    [{ fetch_site: null }, false],
    [{ fetch_site: 'same-site' }, false],
    [{ form_age_ms: null }, false],
    [{ form_age_ms: 2999 }, false],
    [{ form_age_ms: 2 * HOUR }, true],
    [{ form_age_ms: 2 * HOUR + 1 }, false],
  ])('with %j is human: %s', (signs, isPerson) => {
    expect(findScriptSign({ ...good, ...signs }, site) === null).toBe(isPerson)
  })
})

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['nobody', null],
  [null, null],
])('the address %s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['x'.repeat(9), false],
  ['x'.repeat(10), true],
  [` ${'x'.repeat(9)} `, false],
  ['é'.repeat(2000), true],
  ['x'.repeat(2001), false],
])('%#: the length is judged', (message, isRight) => {
  expect(findLengthFault(message) === null).toBe(isRight)
})

test.each([
  [['no links. None at all'], false],
  [['http://a.b www.c.d'], false],
  [['HTTP://a.b WWW.c.d ftp://e'], true],
  [['http://a.b', undefined, 'https://c.d https://e.f'], true],
])('%j has too many links: %s', (texts, tooMany) => {
  expect(hasTooManyLinks(...texts)).toBe(tooMany)
})
