/** @module-tag extended */
import { expect, test } from 'vitest'
import { readPictures, readSequence } from './avc-sets.ts'
import { type AvcSets, readFirstSlice, readSlice } from './avc-slices.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { placeFrames } from './frame-places.ts'
import { fixedBits, numberBits } from './unit-bytes.ts'

/** A unit of a reference frame, whose bits end with a stop bit. */
function makeUnit(type: number, ...fields: string[]): Buffer {
  const digits = `${fixedBits(0x60 | type, 8)}${fields.join('')}1`
  const bytes = digits.padEnd(8 * Math.ceil(digits.length / 8), '0').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

const numbers = (...values: number[]) => values.map(numberBits).join('')

function makeSequence({ frame_bits = 4, order_bits = 4, references = 4 }): Buffer {
  const profile = fixedBits(77, 8) + fixedBits(0, 16)
  return makeUnit(
    7,
    profile,
    numbers(0, frame_bits - 4, 0, order_bits - 4, references),
    '0',
    numbers(19, 3),
    '1',
  )
}

test('reads a sequence with the highest numbers of the standard', () => {
  const limits = { frame_bits: 16, order_bits: 16, references: 16 }
  expect(readSequence(makeSequence(limits))).toMatchObject(limits)
})

test.each([
  { frame_bits: 17 },
  { order_bits: 17 },
  { references: 17 },
  { references: 0 },
  { frame_bits: 2 ** 31 },
])('refuses a sequence with %o', (fields) => {
  expect(() => readSequence(makeSequence(fields))).toThrow(CutMismatch)
})

/** Set 0 has one reference in each list, and weights of them. */
const PICTURES = (list_size: number) =>
  makeUnit(8, numbers(0, 0), '00', numbers(0, list_size - 1, 0), '1', '00', numbers(0, 0, 0), '000')

const SETS: AvcSets = {
  sequence: readSequence(makeSequence({})),
  pictures: [readPictures(PICTURES(1))],
}
/** Address, kind and set, the frame number and the place in display order. */
const START = { p: numbers(0, 0, 0) + fixedBits(3, 4) + fixedBits(6, 4), i: numbers(0, 2, 0) + '0'.repeat(8) }

test('reads which references a slice removes', () => {
  const unit = makeUnit(1, START.i, '1', numbers(1, 4, 1, 0, 0))
  expect(readSlice(unit, SETS).removes).toEqual([5, 1])
})

/** A table that weights none of its `count` references, and then a list of removals that is empty. */
const weigh = (count: number) => `${numbers(0, 0)}${'00'.repeat(count)}0`

test.each([
  ['a list of references is too long', START.p, '1', numbers(32), '0', weigh(33)],
  ['changes too many references', START.p, '01', numbers(0, 0).repeat(70), numbers(3), weigh(1)],
  ['removes references that cannot exist', START.i, '1', numbers(1, 0).repeat(200_000), numbers(0)],
  ['removes references that cannot exist', START.i, '1', numbers(1, 2 ** 20, 0)],
])('refuses a slice: %s', (reason, ...fields) => {
  expect(() => readSlice(makeUnit(1, ...fields), SETS)).toThrow(reason)
})

test('refuses pictures with too many references', () => {
  expect(readPictures(PICTURES(32)).references).toEqual([32, 1])
  expect(() => readPictures(PICTURES(33))).toThrow(CutMismatch)
})

test('reads only the start of a large slice', () => {
  const unit = Buffer.concat([makeUnit(1, START.i, '0'), Buffer.alloc(64 * 1024 ** 2)])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(unit.length)
  const before = process.cpuUsage()
  expect(readFirstSlice(Buffer.concat([size, unit]), SETS).is_reference).toBe(true)
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})

test('stops at a number that cannot end', () => {
  const unit = Buffer.concat([Buffer.from([0x61]), Buffer.alloc(64 * 1024 ** 2)])
  const before = process.cpuUsage()
  expect(() => readSlice(unit, SETS)).toThrow('too long')
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})

test('places many frames in a short time', () => {
  const sequence = { frame_bits: 16, order_bits: 16, references: 16 }
  const next = { frame: 30, order: 60, removed: [2, 4] }
  const before = process.cpuUsage()
  expect(placeFrames(50_000, sequence, next)).toHaveLength(50_000)
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
})
