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

describe('Purchase rule 3: the consents', () => {
  test.each([
    [false, true, 'accept_documents'],
    [true, false, 'accept_immediate'],
    [false, false, 'accept_documents'],
  ])('documents %s, immediate %s: the refusal names %s', (accept_documents, accept_immediate, name) => {
    const refusal = refuseConsent({ accept_documents, accept_immediate })
    expect(refusal).toEqual({
      status: 400,
      detail: expect.stringMatching(new RegExp(`^${name} must be true`)),
    })
  })

  test('both let it pass', () => {
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
  ])('packs are add-ons: %s, term %j: allowed %s', (addOns, term, allowed) => {
    const refusal = refusePack(term, addOns, NOW)
    expect(refusal).toEqual(
      allowed ? null : { status: 409, detail: expect.objectContaining({ code: 'subscription_required' }) },
    )
  })
})

describe('Purchase routing for a plan', () => {
  test('opens a term, or extends one of the same plan', () => {
    expect(refusePlan(null, 2, NOW)).toBeNull()
    expect(refusePlan(HELD, 2, NOW)).toBeNull()
    expect(refusePlan(ENDED, 3, NOW)).toBeNull()
  })
  test('is refused while a different plan runs', () => {
    expect(refusePlan(HELD, 3, NOW)).toEqual({ status: 409, detail: expect.stringMatching(/^your plan Pro/) })
  })
})

describe('Purchase rule 7: automatic renewal', () => {
  const free = { recurring_enabled: true, holds_mandates: true, is_bundle: false, term: null }
  test('needs accept_recurring', () => {
    expect(refuseRenewalConsent({ auto_renew: true, accept_recurring: false })).toEqual({
      status: 400,
      detail: expect.stringMatching(/^accept_recurring must be true/),
    })
    expect(refuseRenewalConsent({ auto_renew: true, accept_recurring: true })).toBeNull()
    expect(refuseRenewalConsent({ auto_renew: false, accept_recurring: false })).toBeNull()
  })
  test.each([
    ['what stands against nothing', {}, null],
    ['a term that has ended', { term: ENDED }, null],
    ['a service that sells none', { recurring_enabled: false }, 'not on sale'],
    ['a rail without mandates', { holds_mandates: false }, 'cannot be charged again'],
    ['a bundle', { is_bundle: true }, 'bundle'],
    ['a term that runs', { term: HELD }, 'already running'],
  ])('%s', (_name, changed, cause) => {
    expect(refuseRenewal({ ...free, ...changed }, NOW)).toEqual(
      cause === null
        ? null
        : {
            status: 409,
            detail: { code: 'recurring_unavailable', message: expect.stringContaining(cause) },
          },
    )
  })
})
