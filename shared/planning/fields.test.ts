import { expect, test } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../operations/index.ts'
import { compress } from '../operations/video/compress.ts'
import { trim } from '../operations/video/trim.ts'
import { watermark } from '../operations/video/watermark.ts'
import { describeFields } from './fields.ts'

test('describes numbers, enums and booleans with their bounds, options and defaults', () => {
  expect(describeFields(compress)).toMatchObject([
    {
      key: 'level',
      type: 'enum',
      options: ['light', 'medium', 'strong'],
      default: 'medium',
      required: false,
    },
    { key: 'crf', type: 'integer', min: 0, max: 63, default: null, options: null, required: false },
    { key: 'preset', type: 'enum', default: 'medium' },
    { key: 'codec', type: 'enum', options: ['h264', 'hevc', 'av1'], default: 'h264', required: false },
  ])
  expect(describeFields(trim)).toMatchObject([
    { key: 'start', type: 'number', min: 0, max: null, default: 0 },
    { key: 'duration', type: 'number', min: 0.001, max: null, default: null },
    { key: 'precise', type: 'boolean', min: null, max: null, default: true },
  ])
})

test('describes string and array lengths, and required fields', () => {
  const parameters = z.object({
    text: z.string().min(1).max(200).describe('Words'),
    parts: z.array(z.int()).min(2).max(9).optional(),
    place: z.object({ x: z.number() }).optional(),
    factor: z.number().gt(0).lt(4).optional(),
    anyone: z.union([z.string(), z.number()]).optional(),
  })
  expect(describeFields({ parameters })).toMatchObject([
    { key: 'text', type: 'string', min: 1, max: 200, required: true, description: 'Words' },
    { key: 'parts', type: 'array', min: 2, max: 9, required: false },
    { key: 'place', type: 'object', min: null, max: null },
    { key: 'factor', type: 'number', min: 0, max: 4 },
    { key: 'anyone', type: 'string' },
  ])
})

test('describes defaults of transformed values', () => {
  const fields = describeFields(watermark)
  expect(fields.find(({ key }) => key === 'position')).toMatchObject({ type: 'enum', default: 'br' })
  expect(fields.find(({ key }) => key === 'color')).toMatchObject({ type: 'string', default: '#ffffff' })
})

test.each(OPERATIONS.map((operation) => [operation.key, operation] as const))(
  'describes every parameter of %s',
  (_, operation) => {
    const fields = describeFields(operation)
    expect(fields.map((field) => field.key)).toEqual(Object.keys(operation.parameters.shape))
    for (const field of fields) expect(field.description).toMatch(/^[A-Z].{5,}|^[a-z]+ .{5,}/)
  },
)
