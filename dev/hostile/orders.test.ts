import { expect, test } from 'vitest'
import { validSpec } from '../../media-backend/testing/valid-spec.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { ASSET_ORDERS, ordersOf } from './orders.ts'

test('an order that the edge would refuse is none', () => {
  expect(() => validSpec('video', 'trim', { end: 1 })).toThrow(/^video\/trim: end: is not a parameter/)
  expect(() => validSpec('image', 'device_meta')).toThrow(/^image\/device_meta: preset: is required/)
  expect(() => validSpec('image', 'trim')).toThrow('there is no image/trim')
})

test.each(['video', 'image'] as const)('every %s operation that takes a file has an order', (service) => {
  const taking = OPERATIONS.filter(({ accepts }) => accepts.includes(service))
  const keys = taking.filter(({ requiresPipeline }) => requiresPipeline !== true).map(({ key }) => key)
  expect(ordersOf(service).map(({ operation_key }) => operation_key)).toEqual(keys)
})

test.each(ASSET_ORDERS)('$key is what $order.operation_key fetches', ({ order, key }) => {
  const operation = OPERATIONS.find((operation) => operation.key === order.operation_key)
  expect(operation?.assets?.(order.params).map(({ name }) => assetKey(0, name))).toEqual([key])
})
