import { expect, test } from 'vitest'
import { ApiError, invalidField, toError } from './api-error.ts'

test('an error has the status and the sentence of its code', () => {
  const error = new ApiError('job_already_finished', { status: 'done' })
  expect(error).toMatchObject({ code: 'job_already_finished', status: 409, headers: {} })
  expect(error.describe('en').detail).toContain('done')
})

test('a billing error is an object with the same code', () => {
  const { code, detail } = new ApiError('not_recurring').describe('uk')
  expect(detail).toEqual({ code, message: expect.any(String) })
})

test('a field error is a list', () => {
  const error = invalidField('file', 'file_empty')
  expect(error.status).toBe(422)
  expect(error.describe('en')).toMatchObject({
    code: 'validation_failed',
    param: 'file',
    detail: [{ loc: ['body', 'file'], type: 'file_empty' }],
  })
})

test.each([
  [new ApiError('too_many_uploads', { limit: 20, retry_after_seconds: 7 }), '7'],
  [new ApiError('maintenance', { message: null }), '60'],
  [new ApiError('upload_link_busy', undefined, { headers: { 'Retry-After': '3' } }), '3'],
  [toError({ code: 'subscription_required' }), undefined],
])('Retry-After is derived from %s', (error, seconds) => {
  expect(error.headers['Retry-After']).toBe(seconds)
})
