import { expect, test } from 'vitest'
import { countStatements } from '../../test/edge/worker/count-statements.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { register, upload } from '../../test/edge/worker/people.ts'
import { BLOCK_FACTOR } from '../platform/http/rules/client-address.ts'

const LIMIT = 5
const limited = await makeLimitedContext({ misses_per_minute_per_ip: LIMIT })

/** Calls from an address that no other test uses. */
function openVisitor() {
  const headers = { 'cf-connecting-ip': freshAddress() }
  return (method: string, path: string) => limited.call(method, path, { headers })
}

test.each([
  ['GET', () => `/files/uploads/${crypto.randomUUID()}/clip.mp4`],
  ['GET', () => `/files/results/${crypto.randomUUID()}/1001/clip.mp4`],
  ['GET', () => `/unsubscribe/${crypto.randomUUID()}/jobs`],
  ['POST', () => `/unsubscribe/${crypto.randomUUID()}/jobs`],
])(
  '%s of unknown secrets is 404 up to the limit of an address, then 429 without a query',
  async (method, guess) => {
    const visit = openVisitor()
    const statuses = []
    for (let number = 0; number < LIMIT; number++) statuses.push((await visit(method, guess())).status)
    expect(statuses).toEqual(Array(LIMIT).fill(404))
    const count = countStatements(limited)
    const refused = await visit(method, guess())
    expect([refused.status, count.statements]).toEqual([429, []])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await openVisitor()(method, guess())).status).toBe(404)
  },
)

test('files that exist neither count nor are refused', async () => {
  const { key } = await upload(limited, await register(limited), MP4)
  const visit = openVisitor()
  const read = async () => (await visit('GET', `/files/${key}`)).status
  for (let number = 0; number < LIMIT + 2; number++) expect(await read()).toBe(200)
  const guess = async () => (await visit('GET', `/files/uploads/${crypto.randomUUID()}/x`)).status
  for (let number = 0; number < LIMIT; number++) expect(await guess()).toBe(404)
  expect([await guess(), await read()]).toEqual([429, 200])
})

test('guesses from many networks of one IPv6 block share a limit', async () => {
  const single = await makeLimitedContext({ misses_per_minute_per_ip: 1 })
  const [, , third = ''] = freshAddress().split(':')
  const statuses = []
  for (let network = 1; network <= BLOCK_FACTOR + 1; network++) {
    const headers = { 'cf-connecting-ip': `2001:db9:${third}:${network}::1` }
    const path = `/files/uploads/${crypto.randomUUID()}/x`
    statuses.push((await single.call('GET', path, { headers })).status)
  }
  expect(statuses).toEqual([...Array(BLOCK_FACTOR).fill(404), 429])
})
