import { expect, test } from 'vitest'
import { z } from 'zod'
import { unpackTexts } from '../text/texts.ts'
import { issueMessage, issueSentence } from './issue-message.ts'

function messageOf(schema: z.ZodType, value: unknown, error = issueMessage) {
  const [issue] = schema.safeParse(value, { error }).error?.issues ?? []
  return unpackTexts(issue?.message ?? '')
}

test.each([
  [z.number().max(51), 52, 'must be at most 51, not 52', 'значення має бути не більше 51; отримано 52'],
  [z.number().gt(1), 1, 'must be more than 1, not 1', 'значення має бути більше 1; отримано 1'],
  [z.int(), 1.5, 'must be an integer, not 1.5', 'значення має бути цілим числом; отримано 1.5'],
  [z.string().min(2), 'x', 'must be at least 2 characters long', 'значення має містити щонайменше 2 символи'],
  [
    z.array(z.int()).max(1),
    [1, 2],
    'must be at most 1 entry long, not [1,2]',
    'значення має містити щонайбільше 1 елемент; отримано [1,2]',
  ],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b, not "c"', 'значення має бути одним із: a, b; отримано "c"'],
  [z.string(), undefined, 'is required; it must be a string', 'значення обов’язкове; воно має бути рядком'],
  [
    z.union([z.int(), z.null()]),
    'x',
    'must match the API reference',
    'значення має відповідати довіднику API',
  ],
])('an issue says what is required: %#', (schema, value, en, uk) => {
  expect(messageOf(schema as z.ZodType, value)).toMatchObject({ en, uk })
})

test('a sentence starts with a capital letter and ends with a period', () => {
  expect(messageOf(z.boolean(), 1, issueSentence)).toEqual({
    en: 'Must be true or false, not 1.',
    uk: 'Значення має бути true або false; отримано 1.',
    ru: 'Значение должно быть true или false; получено 1.',
  })
})

test.each([
  [
    { width: z.int() },
    'widht',
    'Unknown field. Did you mean width?',
    'Неизвестное поле. Возможно, вы имели в виду width?',
  ],
  [{ crf: z.int() }, 'quality', 'Unknown field. Use crf.', 'Неизвестное поле. Доступные поля: crf.'],
  [{}, 'quality', 'Unknown field. Remove it.', 'Неизвестное поле. Удалите его.'],
])('an unknown field gets advice: %#', (shape, key, en, ru) => {
  const schema = z.strictObject(shape).partial()
  expect(messageOf(schema, { [key]: 1 }, issueSentence)).toMatchObject({ en, ru })
})
