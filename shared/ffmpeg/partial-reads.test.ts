import { expect, test } from 'vitest'
import { findOperation, OPERATIONS } from '../operations/index.ts'
import { planPipeline, type Stage } from '../planning/pipeline.ts'
import { sampleFacts, sampleProbe } from '../planning/sample-facts.ts'
import { validateParams } from '../planning/validate.ts'
import { readsAll, readsParts } from './partial-reads.ts'

/** Checks whether a file of this duration would be read in parts. */
function readsPartsOf(
  duration_seconds: number,
  specs: [string, Record<string, unknown>][],
  container?: string,
) {
  const probe = sampleProbe({ duration_seconds, ...(container === undefined ? {} : { container }) })
  const [first, ...others] = specs.map(([key, params]): Stage => {
    const operation = findOperation('video', key)
    const valid = operation && validateParams(operation, params)
    if (operation === undefined || valid === undefined || 'refused' in valid) throw new Error(key)
    return { operation, params: valid.params }
  })
  if (first === undefined) throw new Error('no operation')
  const facts = { probe, assets: {}, lead_seconds: 0 } as unknown as Parameters<typeof planPipeline>[1]
  const plan = planPipeline([first, ...others], facts)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return readsParts(plan, duration_seconds)
}

test.each([
  ['thumbnail', {}],
  ['thumbnail', { at: 50 }],
  ['thumbnail', { smart: true }],
  ['thumbnail', { smart: true, at: 30 }],
  ['cover', { title: 'A title' }],
  ['gif', { start: 20, duration: 5 }],
  // This GIF is decoded twice, because its frames do not fit in memory.
  ['gif', { start: 20, duration: 10, width: 1920, fps: 30 }],
  ['trim', { start: 0, duration: 10 }],
  ['trim', { start: 30, duration: 10, precise: false }],
  ['trim', { start: 30, duration: 10 }],
  ['trim', { start: 50 }],
])('%s %j reads a small part of a one-minute video', (key, params) => {
  expect(readsPartsOf(60, [[key, params]])).toBe(true)
})

test.each([
  ['compress', {}],
  ['mute', {}],
  ['extract_audio', {}],
  ['trim', { start: 0, duration: 40 }],
  ['trim', { start: 5, precise: false }],
  ['gif', { start: 0, duration: 30 }],
])('%s %j reads most of a one-minute video', (key, params) => {
  expect(readsPartsOf(60, [[key, params]])).toBe(false)
})

test('operations after a short cut read only the cut', () => {
  expect(
    readsPartsOf(60, [
      ['trim', { start: 30, duration: 5 }],
      ['resize', { width: 320 }],
    ]),
  ).toBe(true)
  expect(
    readsPartsOf(60, [
      ['trim', { start: 30, duration: 5 }],
      ['thumbnail', {}],
    ]),
  ).toBe(true)
  expect(
    readsPartsOf(60, [
      ['mute', {}],
      ['thumbnail', {}],
    ]),
  ).toBe(false)
})

test('without an index, an exact cut is read from slightly before its start', () => {
  expect(readsPartsOf(60, [['trim', { start: 30, duration: 5, precise: false }]], 'mpegts')).toBe(true)
  expect(readsPartsOf(60, [['trim', { start: 30, duration: 5 }]], 'mpegts')).toBe(true)
  expect(readsPartsOf(18, [['trim', { start: 10, duration: 5 }]], 'mpegts')).toBe(false)
})

const HOUR = sampleFacts({ probe: sampleProbe({ duration_seconds: 3600 }), lead_seconds: 0 })

/** Operations whose facts need the whole input, so that their plans do not. */
const LISTENING = ['transcribe']

test.each(
  OPERATIONS.filter(
    (operation) =>
      operation.accepts.includes('video') && readsAll([{ operation }]) && !LISTENING.includes(operation.key),
  ),
)('$key reads all of an hour with each preset', (operation) => {
  for (const { params } of [{ params: {} }, ...operation.presets]) {
    const valid = validateParams(operation, params)
    if ('refused' in valid) continue
    const plan = planPipeline([{ operation, params: valid.params }], HOUR)
    expect('refused' in plan || readsParts(plan, 3600)).toBe(false)
  }
})

test.each([
  [['compress'], true],
  [['mute', 'resize'], true],
  [['trim', 'resize'], false],
  [['mute', 'thumbnail'], false],
])('knows before the plan whether %j reads all: %s', (keys, all) => {
  expect(readsAll(keys.map((key) => ({ operation: { key } })))).toBe(all)
})
