import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { legalFolder, readLegalFolder } from '../legal/read-folder.ts'
import { readPublished } from './read-published.ts'

let answer: { status: number; body: string }
const asked: (string | undefined)[] = []
const server = createServer((request, response) => {
  asked.push(request.url)
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
})
const warn = vi.spyOn(console, 'warn').mockReturnValue()

beforeEach(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterEach(() => {
  warn.mockClear()
  return new Promise((resolve) => server.close(resolve))
})

const read = () => readPublished(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

test('reads the texts that a deployment shows', async () => {
  const texts = readLegalFolder(legalFolder({})).map(({ document, locale, version, sha256, is_current }) => ({
    ...{ document, locale, version, sha256, is_current },
  }))
  answer = { status: 200, body: JSON.stringify(texts) }
  expect(await read()).toEqual(texts)
  expect(asked.at(-1)).toBe('/legal/documents.json')
  expect(warn).not.toHaveBeenCalled()
})

test.each([
  ['a deployment without documents', { status: 404, body: 'not found' }],
  ['a page of something else', { status: 200, body: '<html>' }],
  ['texts in another form', { status: 200, body: '[{"document":"terms"}]' }],
])('of %s there are none, which is said', async (_, answered) => {
  answer = answered
  expect(await read()).toEqual([])
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('shows no documents'))
})

test('of a deployment that does not answer there are none, which is said', async () => {
  expect(await readPublished('http://127.0.0.1:9')).toEqual([])
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('shows no documents'))
})
