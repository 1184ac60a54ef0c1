import { expect, test } from 'vitest'
import type { Tool } from '../studio/tools.ts'
import { isForSize } from './is-for-size.ts'

const TOOLS = [
  ['image', 'compress', 'compress'],
  ['image', 'web_optimize', 'compress'],
  ['image', 'crop', 'resize'],
].map(([service_slug, operation_key, key]) => ({ service_slug, operation_key, config: { group: { key } } }))

test.each([
  ['compress', [], true],
  ['crop', [], false],
  ['compress', ['web_optimize'], true],
  ['crop', ['compress'], false],
  ['compress', ['crop'], false],
  ['retired', [], false],
])('%s, then %j: %s', (operation_key, further, expected) => {
  const operations = further.map((each) => ({ operation_key: each }))
  const operation = { service_slug: 'image', operation_key, params: { operations } }
  expect(isForSize(TOOLS as unknown as Tool[], operation)).toBe(expected)
})
