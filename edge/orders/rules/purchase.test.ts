import { describe, expect, test } from 'vitest'
import {
  readConsentLocale,
  refuseConsent,
  refusePack,
  refusePlan,
  refuseRenewal,
  refuseRenewalConsent,
} from './purchase.ts'

const NOW = 1_000_000_000
const HELD = {
  plan_id: 2,
  plan_name: 'Pro',
  renewal_status: 'off' as const,
  period_end: NOW + 1,
  grace_until: null,
}
const ENDED = { ...HELD, period_end: NOW }

describe('Purchase rule 3: consents', () => {
  test.each([
    [false, true, 'accept_documents'],
    [true, false, 'accept_immediate'],
    [false, false, 'accept_documents'],
  ])(
    'with documents %s and immediate %s the refusal names %s',
    (accept_documents, accept_immediate, name) => {
      const refusal = refuseConsent({ accept_documents, accept_immediate })
      expect(refusal).toEqual({ code: 'consent_required', facts: { param: name } })
    },
  )

  test('both consents are accepted', () => {
    expect(refuseConsent({ accept_documents: true, accept_immediate: true })).toBeNull()
  })

  test.each([
    ['uk', 'uk'],
    ['ru', 'ru'],
    ['en', 'en'],
    ['de', null],
    ['UK', null],
    [5, null],
    [undefined, null],
  ])('the locale %j is recorded as %j', (given, recorded) => {
    expect(readConsentLocale(given)).toBe(recorded)
  })
})

describe('Purchase rule 5: a pack alone', () => {
  test.each([
    [false, null, true],
    [false, HELD, true],
    [true, HELD, true],
    [true, ENDED, false],
    [true, null, false],
  ])('with packs as add-ons %s and a term %j it is allowed: %s', (addOns, term, allowed) => {
    const refusal = refusePack(term, addOns, NOW)
    expect(refusal).toEqual(allowed ? null : { code: 'subscription_required' })
  })
})

describe('Purchase routing for a plan', () => {
  test('it opens a term or extends one of the same plan', () => {
    expect(refusePlan(null, 2, NOW)).toBeNull()
    expect(refusePlan(HELD, 2, NOW)).toBeNull()
    expect(refusePlan(ENDED, 3, NOW)).toBeNull()
  })
  test('it is refused while a different plan runs', () => {
    expect(refusePlan(HELD, 3, NOW)).toEqual({ code: 'another_plan_running', facts: { plan: 'Pro' } })
  })
})

describe('Purchase rule 7: automatic renewal', () => {
  const free = { recurring_enabled: true, holds_mandates: true, is_bundle: false, term: null }
  test('it requires accept_recurring', () => {
    expect(refuseRenewalConsent({ auto_renew: true, accept_recurring: false })).toEqual({
      code: 'consent_required',
      facts: { param: 'accept_recurring' },
    })
    expect(refuseRenewalConsent({ auto_renew: true, accept_recurring: true })).toBeNull()
    expect(refuseRenewalConsent({ auto_renew: false, accept_recurring: false })).toBeNull()
  })
  test.each([
    ['no obstacle', {}, null],
    ['a term that has ended', { term: ENDED }, null],
    ['renewal switched off', { recurring_enabled: false }, 'renewal_disabled'],
    ['a rail without mandates', { holds_mandates: false }, 'provider_cannot_renew'],
    ['a bundle', { is_bundle: true }, 'bundle'],
    ['a running term', { term: HELD }, 'term_running'],
  ])('it is allowed or refused with %s', (_name, changed, obstacle) => {
    expect(refuseRenewal({ ...free, ...changed }, NOW)).toEqual(
      obstacle === null ? null : { code: 'recurring_unavailable', facts: { obstacle } },
    )
  })
})
