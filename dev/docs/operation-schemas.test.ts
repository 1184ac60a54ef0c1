import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { describeOperations } from '../../edge/documentation/operation-schemas.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'

const schemas = describeOperations(OPERATIONS)
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: 'api:/document', components: { schemas } })

const validates = (name: string) => {
  const validate = ajv.compile({ $ref: `api:/document#/components/schemas/${name}` })
  return (value: unknown) => validate(value)
}
const isJob = validates('JobOperation')
const isTool = validates('StudioOperation')

const FILE = { file_url: 'https://example.org/input' }
const LINK = { url: 'https://example.org/watch' }
/** Parameters that have no default and are not set by any preset. */
const REQUIRED: Partial<Record<string, Record<string, unknown>>> = {
  add_audio: { tracks: [{ url: 'https://example.org/song.mp3' }] },
}

/** Returns params that the operation accepts, taken from its first preset if there is one. */
function paramsOf({ key, accepts, presets, requiresPipeline }: Operation): Record<string, unknown> {
  const input = accepts.includes('link') ? LINK : FILE
  const stages = requiresPipeline ? { operations: [{ operation_key: 'resize', params: { width: 100 } }] } : {}
  return { ...REQUIRED[key], ...presets[0]?.params, ...input, ...stages }
}

const jobOf = (operation: Operation, params: Record<string, unknown>) => ({
  service_slug: operation.service,
  operation_key: operation.key,
  params,
})

test.each(OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const))(
  '%s: the schema accepts its presets and no unknown parameter',
  (_, operation) => {
    const params = paramsOf(operation)
    expect(isJob(jobOf(operation, params))).toBe(true)
    expect(isTool(jobOf(operation, params))).toBe(true)
    expect(isJob(jobOf(operation, { ...params, no_such_parameter: 1 }))).toBe(false)
    expect(isTool(jobOf(operation, { ...params, no_such_parameter: 1 }))).toBe(false)
    for (const preset of operation.presets)
      expect(isJob(jobOf(operation, { ...params, ...preset.params })), preset.label).toBe(true)
  },
)

test('requires the input of a job, and an operation of its service', () => {
  expect(isJob({ service_slug: 'image', operation_key: 'resize', params: { width: 100 } })).toBe(false)
  expect(isJob({ service_slug: 'image', operation_key: 'resize' })).toBe(false)
  expect(isJob({ service_slug: 'image', operation_key: 'trim', params: FILE })).toBe(false)
  expect(isJob({ service_slug: 'video', operation_key: 'trim', params: { ...FILE, start: 'x' } })).toBe(false)
})

test('describes the stages of a pipeline', () => {
  const pipeline = (operations: object[]) => ({
    service_slug: 'image',
    operation_key: 'resize',
    params: { ...FILE, width: 100, operations },
  })
  expect(isJob(pipeline([{ operation_key: 'transform', params: { rotate: 90 } }]))).toBe(true)
  expect(isJob(pipeline([{ operation_key: 'transform', params: { rotated: 90 } }]))).toBe(false)
  expect(isJob(pipeline([{ operation_key: 'trim', params: {} }]))).toBe(false)
})

test('selects a tool by its id', () => {
  expect(isTool({ operation_id: 7, params: { width: 100 } })).toBe(true)
  expect(isTool({ params: { width: 100 } })).toBe(false)
})
