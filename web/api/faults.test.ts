import { expect, test } from 'vitest'
import { MediaError } from '../../client/src/index.ts'
import { faultsByField } from './faults.ts'

test('each sentence belongs to the field that its location names', () => {
  const detail = [
    { loc: ['body', 'email'], msg: 'First.' },
    { loc: ['body', 'email'], msg: 'Second.' },
    { loc: ['body', 'password'], msg: 'Weak.' },
  ]
  const error = new MediaError('email: First.', { code: 'validation_failed', param: 'email', detail })
  expect(faultsByField(error)).toEqual({ email: 'First.', password: 'Weak.' })
})

test('an error with one field has its sentence there', () => {
  const error = new MediaError('Wrong.', { code: 'wrong_confirmation_code', param: 'code' })
  expect(faultsByField(error)).toEqual({ code: 'Wrong.' })
})

test('other errors are about no field', () => {
  expect(faultsByField(new MediaError('Down.', { code: 'network_error' }))).toEqual({})
  expect(faultsByField(new TypeError('x'))).toEqual({})
})
