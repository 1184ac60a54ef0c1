import { expect, test } from 'vitest'
import { makeOrderId, ORDER_ID_BYTES } from './order-id.ts'

test('an order id is four groups of unambiguous characters', () => {
  const id = makeOrderId(Uint8Array.from({ length: ORDER_ID_BYTES }, (_, index) => index * 7))
  expect(id).toMatch(/^O(-[0-9A-HJKMNP-TV-Z]{4}){4}$/)
  expect(makeOrderId(new Uint8Array(ORDER_ID_BYTES).fill(255))).toBe('O-ZZZZ-ZZZZ-ZZZZ-ZZZZ')
})
