import { expect, test } from 'vitest'
import type { Tool } from '../studio/tools.ts'
import { operationCall } from './operation-call.ts'

const toolFor = (accepts: Tool['accepts']) => ({ accepts }) as Tool
const resize = {
  service_slug: 'image',
  operation_key: 'resize',
  params: { file_url: 'https://a/b', width: 8 },
}
const info = { service_slug: 'video', operation_key: 'link_info', params: {} }

test('a placeholder replaces the file of a job', () => {
  expect(operationCall(resize, toolFor(['image']), 'https://media.example.com')).toEqual({
    apiUrl: 'https://media.example.com',
    service_slug: 'image',
    operation_key: 'resize',
    params: { width: 8 },
    input: 'photo.jpg',
    takesLink: false,
  })
})

test('a link operation keeps the link of its job', () => {
  const params = { url: 'https://example.org/clip' }
  expect(operationCall({ ...info, params }, toolFor(['link']), '').input).toBe(params.url)
  expect(operationCall(info, toolFor(['link']), '').input).toBe('https://example.org/watch?v=1')
})
