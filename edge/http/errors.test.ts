import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { ListTooLong } from '../jobs/list-queries.ts'
import type { AppEnv } from './context.ts'
import { handleErrors } from './errors.ts'

test.each([
  [new ListTooLong(), 400, /too long to be listed at once: ask for fewer/],
  [new Error('a secret of ours'), 500, /^something went wrong on our side$/],
])('%s is answered %i', async (error, status, words) => {
  const app = new OpenAPIHono<AppEnv>()
  handleErrors(app)
  app.get('/', () => {
    throw error
  })
  const answer = await app.request('/')
  const { detail } = (await answer.json()) as { detail: string }
  expect([answer.status, detail]).toEqual([status, expect.stringMatching(words)])
})
