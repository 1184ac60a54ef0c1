import { expect, test } from 'vitest'
import { validSpec } from '../../media-backend/testing/valid-spec.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { ASSET_JOBS, listJobSpecs } from './job-specs.ts'

test('validSpec rejects what the edge would reject', () => {
  expect(() => validSpec('video', 'trim', { end: 1 })).toThrow(/^video\/trim: end: is not a parameter/)
  expect(() => validSpec('image', 'device_meta')).toThrow(/^image\/device_meta: preset: is required/)
  expect(() => validSpec('image', 'trim')).toThrow('there is no image/trim')
})

test.each(['video', 'image'] as const)('every %s operation that accepts a file has a job spec', (service) => {
  const accepting = OPERATIONS.filter(({ accepts }) => accepts.includes(service))
  const keys = accepting.filter(({ requiresPipeline }) => requiresPipeline !== true).map(({ key }) => key)
  expect(listJobSpecs(service).map(({ operation_key }) => operation_key)).toEqual(keys)
})

test.each(ASSET_JOBS)('$key is the asset of $spec.operation_key', ({ spec, key }) => {
  const operation = OPERATIONS.find((operation) => operation.key === spec.operation_key)
  expect(operation?.assets?.(spec.params).map(({ name }) => assetKey(0, name))).toEqual([key])
})
