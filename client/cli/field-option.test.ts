import { describe, expect, test } from 'vitest'
import { CATALOG } from '../generated/catalog.ts'
import type { CatalogField } from './catalog-entry.ts'
import { fieldOptions, parseField } from './field-option.ts'

const field = (type: CatalogField['type'], others: Partial<CatalogField> = {}): CatalogField => ({
  name: 'value',
  type,
  ...others,
})

describe('the text of an option', () => {
  test.each([
    [field('integer'), '800', 800],
    [field('number'), '0.5', 0.5],
    [field('number'), '-16', -16],
    [field('string'), '800', '800'],
    [field('string', { choices: ['fit', 'fill'] }), 'fill', 'fill'],
    [field('number', { choices: [90, 180] }), '90', 90],
    [field('object'), 'music.mp3', { url: 'music.mp3' }],
    [field('object'), '{"url":"a","loop":true}', { url: 'a', loop: true }],
    [field('json'), '[1]', [1]],
  ])('of %j in %j is %j', (known, text, value) => {
    expect(parseField(known, text)).toEqual(value)
  })

  test.each([
    [field('integer'), '1.5'],
    [field('integer'), ''],
    [field('number'), 'NaN'],
    [field('number'), 'Infinity'],
    [field('integer', { min: 16 }), '15'],
    [field('integer', { max: 51 }), '52'],
    [field('string', { choices: ['fit', 'fill'] }), 'stretch'],
    [field('object'), '{"url"'],
    [field('json'), 'text'],
  ])('of %j refuses %j', (known, text) => {
    expect(() => parseField(known, text)).toThrow(/It must be|Allowed choices/)
  })
})

test('no option of an operation has the name of an option of every command', () => {
  const taken = [
    'output',
    'force',
    'concurrency',
    'webhook',
    'params',
    'length',
    'json',
    'quiet',
    'api-key',
    'api-url',
    'locale',
  ]
  for (const { command, fields } of CATALOG) {
    const names = fields.flatMap(fieldOptions).map(({ long }) => long?.replace('--', ''))
    expect(
      names.filter((name) => taken.includes(name ?? '')),
      command,
    ).toEqual([])
    expect(new Set(names).size, command).toBe(names.length)
  }
})
