import { expect, test } from 'vitest'
import { lengthsToQuote, sumQuotes } from './sum-quotes.ts'

test('quotes each length once', () => {
  expect(lengthsToQuote([10.2, 9.8, 61, null, null])).toEqual([
    { seconds: 10, count: 2 },
    { seconds: 61, count: 1 },
    { seconds: null, count: 2 },
  ])
})

test('quotes the mean of many lengths', () => {
  expect(lengthsToQuote([10, 20, 30, 40, 50, 60])).toEqual([{ seconds: 35, count: 6 }])
})

test('adds the quotes, and finds what is missing and too long', () => {
  const quote = { base_credits: 2, max_credits: 30, balance: 5, max_duration_seconds: 60 }
  const quotes = [
    { count: 2, quote: { ...quote, estimated_credits: 2 } },
    { count: 1, quote: { ...quote, estimated_credits: 4 } },
  ]
  expect(sumQuotes(quotes, [10, 10, 61])).toEqual({
    estimated_credits: 8,
    max_credits: 90,
    balance: 5,
    missing_credits: 1,
    too_long: 1,
    max_duration_seconds: 60,
  })
})
