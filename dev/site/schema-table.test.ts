import { expect, test } from 'vitest'
import { fieldsTable, typeText } from './schema-table.ts'

const seconds = { type: 'integer', minimum: 60, maximum: 604_800, default: 86_400 }

test('the type of a field with a description of its own has its bounds and its default', () => {
  const field = { description: 'Seconds until the link expires', allOf: [seconds] }
  expect(typeText(field, {})).toBe('integer, 60 to 604800, default `86400`')
  expect(typeText({ allOf: [{ $ref: '#/components/schemas/Seconds' }] }, { Seconds: seconds })).toBe(
    'integer, 60 to 604800, default `86400`',
  )
})

test('the fields that all alternatives share keep their meaning', () => {
  const id = { type: 'string', description: 'Id of the job' }
  const alternative = (slug: string, result: object) => ({
    properties: {
      id,
      slug: { const: slug, description: 'Service' },
      result: { description: 'The result', anyOf: [result, { type: 'null' }] },
    },
  })
  const schema = {
    oneOf: [
      alternative('video', { $ref: '#/components/schemas/Video' }),
      alternative('image', { $ref: '#/components/schemas/Image' }),
    ],
  }
  expect(fieldsTable(schema, {}, false)?.split('\n').slice(2)).toEqual([
    '| `id` | string | Id of the job |',
    '| `slug` | string | Service |',
    '| `result` | object or null | The result |',
  ])
})

test('a field that describes a named schema has the meaning of the field', () => {
  const quote = { allOf: [{ $ref: '#/components/schemas/Quote' }, { description: 'What is paid back' }] }
  const schemas = { Quote: { type: 'object', description: 'A quote', properties: { id: seconds } } }
  expect(fieldsTable({ properties: { quote } }, schemas, false)).toContain(
    '| `quote` | object | What is paid back |',
  )
})
