import { expect, test } from 'vitest'
import { isPageEnough } from './grant-page.ts'
import { type Change, type Grant, grant, unchanged } from './ledger.ts'

const grantOf = (sequence: number, left: number): Grant => ({
  sequence,
  kind: 'purchase',
  left,
  expires_at: null,
})
const holding = (balance: number, ...lefts: number[]): Change =>
  unchanged({ sequence: 9, balance, grants: lefts.map((left, index) => grantOf(index + 1, left)) })
const landed = ({ credits }: Change) =>
  grant(credits, { kind: 'daily_free', amount: 20, expires_at: 1, cause: 'daily' })

test.each<[string, boolean, Change, number, boolean]>([
  ['all grants, whatever the charge', false, holding(5, 5), 100, true],
  ['grants that cover the charge', true, holding(50, 3, 2), 5, true],
  ['grants that do not cover the charge', true, holding(50, 3, 2), 6, false],
  ['grants that hold the whole balance', true, holding(5, 3, 2), 100, true],
  ['no grants, because more may have expired', true, holding(50), 0, false],
  ['a grant that landed just now', true, landed(holding(50, 30)), 1, false],
])('a page of %s is judged sufficient or not', (_name, partial, settled, spends_max, isEnough) => {
  expect(isPageEnough({ partial, settled }, spends_max)).toBe(isEnough)
})
