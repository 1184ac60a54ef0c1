import { DrizzleQueryError } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { reportUnforeseen } from './log.ts'

afterEach(() => vi.restoreAllMocks())

function logged(...args: Parameters<typeof reportUnforeseen>) {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  reportUnforeseen(...args)
  return JSON.parse(String(written.mock.lastCall?.[0]))
}

test('a failed query is logged with its cause and without its parameters', () => {
  const cause = new Error('the connection broke')
  const error = new DrizzleQueryError(
    'insert into accounts values (?, ?)',
    ['ada@x.org', 'scrypt$\nhash'],
    cause,
  )
  const line = logged(new Error('outer', { cause: error }), { request_id: 'r' })
  expect(line).toMatchObject({ level: 'error', request_id: 'r' })
  expect(line.error).toMatch(/outer[\s\S]*insert into accounts values \(\?, \?\)[\s\S]*the connection broke/)
  expect(line.error).not.toMatch(/ada@|scrypt|hash/)
})

test('thrown values that are not errors and background tasks are logged too', () => {
  expect(logged('plain', { task: 'forget idempotency keys' })).toEqual({
    level: 'error',
    task: 'forget idempotency keys',
    error: 'plain',
  })
})
