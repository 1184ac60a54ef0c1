import { expect, test } from 'vitest'
import { expandTemplate, findJobParam, isSameContent } from './content.ts'

const trim = { operation_key: 'trim', params: { start: 1, end: 2 } }
const gif = { operation_key: 'gif', params: {} }

test('the first operation becomes the job, the others its pipeline', () => {
  expect(expandTemplate({ service_slug: 'video', operations: [trim, gif] }, { end: 9 })).toEqual({
    service_slug: 'video',
    operation_key: 'trim',
    params: { start: 1, end: 9, operations: [gif] },
  })
  expect(expandTemplate({ service_slug: 'video', operations: [gif] }).params).toEqual({})
})

test('contents are the same whatever the order of their params', () => {
  const content = { service_slug: 'video', operations: [trim, gif] }
  const reordered = { operation_key: 'trim', params: { end: 2, start: 1 } }
  expect(isSameContent(content, { service_slug: 'video', operations: [reordered, gif] })).toBe(true)
  expect(isSameContent(content, { service_slug: 'video', operations: [gif, trim] })).toBe(false)
  expect(isSameContent(content, { service_slug: 'image', operations: [trim, gif] })).toBe(false)
  expect(isSameContent(content, { service_slug: 'video', operations: [{ ...trim, params: {} }, gif] })).toBe(
    false,
  )
})

test.each(['file_url', 'url', 'filename', 'operations'])('%s belongs to the job', (key) => {
  expect(findJobParam({ crf: 1, [key]: null })).toBe(key)
  expect(findJobParam({ crf: 1 })).toBeUndefined()
})
