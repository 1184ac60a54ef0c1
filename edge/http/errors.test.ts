import { OpenAPIHono } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { ApiError } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'
import { handleErrors } from './errors.ts'

test.each([
  [new ApiError('list_too_long'), 400, 'list_too_long'],
  [new HTTPException(415), 415, 'unsupported_media_type'],
  [new HTTPException(400), 422, 'validation_failed'],
  [new HTTPException(418, { message: 'a secret of ours' }), 500, 'internal_error'],
  [new Error('a secret of ours'), 500, 'internal_error'],
])('%s gets a %i %s response', async (error, status, code) => {
  const app = new OpenAPIHono<AppEnv>()
  handleErrors(app)
  app.get('/', () => {
    throw error
  })
  const answer = await app.request('/')
  const body = await answer.text()
  expect([answer.status, JSON.parse(body).code]).toEqual([status, code])
  expect(body).not.toContain('secret')
})
