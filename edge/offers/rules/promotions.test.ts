import { describe, expect, test } from 'vitest'
import { changePromotion, openPromotion, retirePromotion } from './promotions.ts'

const NOW = 1000
const RUNNING = { discount_pct: 20, starts_at: 900, ends_at: 1100 }
const COMING = { discount_pct: 20, starts_at: 1200, ends_at: 1400 }
const OVER = { discount_pct: 20, starts_at: 100, ends_at: 200 }
const WITHDRAWN = { discount_pct: 20, starts_at: 1500, ends_at: 1500 }

const invalid = (field: string) => ({
  code: 'validation_failed',
  facts: { faults: [{ loc: ['body', field] }] },
})

describe('a new promotion', () => {
  test.each([
    ['starts immediately', { ends_at: 1200 }, { starts_at: 1000, ends_at: 1200 }],
    ['starts later', { starts_at: 1100, ends_at: 1200 }, { starts_at: 1100, ends_at: 1200 }],
    ['starts when another ends', { starts_at: 1400, ends_at: 1600 }, { starts_at: 1400, ends_at: 1600 }],
    ['ends when another starts', { starts_at: 1150, ends_at: 1200 }, { starts_at: 1150, ends_at: 1200 }],
  ])('%s', (_what, request, span) => {
    const others = [COMING, OVER, WITHDRAWN]
    expect(openPromotion({ discount_pct: 30, ...request }, others, NOW)).toEqual({
      discount_pct: 30,
      ...span,
    })
  })

  test.each([
    ['starts in the past', { starts_at: 999, ends_at: 1200 }, invalid('starts_at')],
    ['ends before it starts', { starts_at: 1200, ends_at: 1100 }, invalid('ends_at')],
    ['ends as it starts', { ends_at: 1000 }, invalid('ends_at')],
    ['overlaps at its end', { ends_at: 1201 }, { code: 'promotion_overlaps' }],
    ['overlaps at its start', { starts_at: 1399, ends_at: 1500 }, { code: 'promotion_overlaps' }],
    ['encloses another', { starts_at: 1100, ends_at: 1500 }, { code: 'promotion_overlaps' }],
  ])('is refused when it %s', (_what, request, refused) => {
    expect(openPromotion({ discount_pct: 30, ...request }, [COMING], NOW)).toMatchObject({ refused })
  })
})

describe('a change', () => {
  test.each([
    [
      'brings forward the end of a running promotion',
      RUNNING,
      { ends_at: 1050 },
      { ...RUNNING, ends_at: 1050 },
    ],
    ['of no fields changes nothing', RUNNING, {}, RUNNING],
    [
      'reschedules a promotion that has not started',
      COMING,
      { starts_at: 1300, ends_at: 1900, discount_pct: 5 },
      { discount_pct: 5, starts_at: 1300, ends_at: 1900 },
    ],
  ])('%s', (_what, current, change, next) => {
    expect(changePromotion(current, change, [], NOW)).toEqual(next)
  })

  test.each([
    ['the discount of a running promotion', RUNNING, { discount_pct: 30 }, { code: 'promotion_begun' }],
    ['the start of a running promotion', RUNNING, { starts_at: 1050 }, { code: 'promotion_begun' }],
    ['a later end of a running promotion', RUNNING, { ends_at: 1101 }, { code: 'promotion_begun' }],
    ['an end in the past', RUNNING, { ends_at: 950 }, invalid('ends_at')],
    ['an ended promotion', OVER, { ends_at: 2000 }, { code: 'promotion_over' }],
    ['a start in the past', COMING, { starts_at: 950 }, invalid('starts_at')],
  ])('is refused for %s', (_what, current, change, refused) => {
    expect(changePromotion(current, change, [], NOW)).toMatchObject({ refused })
  })

  test('is refused when it would overlap another promotion', () => {
    const refused = { code: 'promotion_overlaps' }
    expect(
      changePromotion(COMING, { ends_at: 1700 }, [{ ...COMING, starts_at: 1600, ends_at: 1800 }], NOW),
    ).toMatchObject({ refused })
  })
})

test.each([
  ['a running promotion ends now', RUNNING, 1000],
  ['a promotion that has not started never starts', COMING, 1200],
  ['an ended promotion is unchanged', OVER, 200],
])('retiring: %s', (_what, current, ends_at) => {
  expect(retirePromotion(current, NOW)).toEqual({ ...current, ends_at })
})
