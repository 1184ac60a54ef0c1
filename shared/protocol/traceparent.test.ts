import { expect, test } from 'vitest'
import { Dispatch } from './dispatch.ts'
import { RELEASED } from './testing/released.ts'
import { parseTraceparent, writeTraceparent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`01-${TRACE}-${SPAN}-01-more`, true],
])('%s is valid', (text, sampled) => {
  expect(parseTraceparent(text)).toEqual({ trace_id: TRACE, span_id: SPAN, sampled })
})

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['another version', `ff-${TRACE}-${SPAN}-01`],
  ['further fields in version 00', `00-${TRACE}-${SPAN}-01-more`],
  ['uppercase digits', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a short span', `00-${TRACE}-${SPAN.slice(1)}-01`],
  ['a long text', `01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`],
])('%s is not', (_name, text) => {
  expect(parseTraceparent(text)).toBeNull()
})

test('writes what it reads', () => {
  const text = `00-${TRACE}-${SPAN}-01`
  expect(writeTraceparent(parseTraceparent(text) ?? expect.fail())).toBe(text)
})

test('a dispatch with an invalid trace runs without one', () => {
  const [dispatch] = RELEASED.dispatches
  expect(Dispatch.parse({ ...dispatch, traceparent: `00-${TRACE}-${SPAN}-01` })).toHaveProperty('traceparent')
  expect(Dispatch.parse({ ...dispatch, traceparent: 'x' }).traceparent).toBeUndefined()
})
