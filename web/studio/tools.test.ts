import { expect, test } from 'vitest'
import { type Tool, titleOf } from './tools.ts'

const tools = [
  { service_slug: 'video', operation_key: 'trim', title: 'Trim video' },
  { service_slug: 'video', operation_key: 'gif', title: 'Video to GIF' },
] as Tool[]

test.each([
  [{}, 'Trim video'],
  [{ operations: [{ operation_key: 'gif', params: {} }] }, 'Trim video → Video to GIF'],
  [{ operations: [{ operation_key: 'gone', params: {} }] }, 'Trim video → gone'],
])('the title of an operation names its whole chain: %j', (params, title) => {
  expect(titleOf(tools, { service_slug: 'video', operation_key: 'trim', params })).toBe(title)
})
