import { describe, expect, test } from 'vitest'
import { CutMismatch } from './cut-mismatch.ts'
import { breakLink, HEVC_PARAMETER_SET, renumberSample, renumberSet, setNumberOf } from './hevc-units.ts'
import { splitUnits } from './unit-bytes.ts'

const withLength = (...units: number[][]) =>
  Buffer.concat(
    units.map((unit) => {
      const size = Buffer.alloc(4)
      size.writeUInt32BE(unit.length)
      return Buffer.concat([size, Buffer.from(unit)])
    }),
  )

describe('renumbering the slices of a sample', () => {
  test('inserts a byte after the flags, and keeps all other bits', () => {
    // An IDR frame: two flags, the number 0 as the bit 1, then 0b01011.
    expect(renumberSample(withLength([19 << 1, 1, 0b101_01011, 0xaa]))).toEqual(
      withLength([19 << 1, 1, 0b10_000010, 0b000_01011, 0xaa]),
    )
    // Another frame: one flag.
    expect(renumberSample(withLength([1 << 1, 1, 0b11_010110, 0xaa]))).toEqual(
      withLength([1 << 1, 1, 0b1_0000100, 0b00_010110, 0xaa]),
    )
  })

  test('keeps start codes out of the data', () => {
    const changed = renumberSample(withLength([1 << 1, 1, 0b11_000000, 0x00, 0x03, 0x01]))
    expect(changed).toEqual(withLength([1 << 1, 1, 0b1_0000100, 0x00, 0x00, 0x03, 0x03, 0x01]))
  })

  test('keeps messages', () => {
    const message = withLength([39 << 1, 1, 0xff])
    expect(renumberSample(message)).toEqual(message)
  })

  test.each([
    ['another number', withLength([1 << 1, 1, 0b1_010_0000])],
    ['a truncated unit', withLength([1 << 1, 1, 0xff]).subarray(0, 6)],
  ])('refuses %s', (_, sample) => {
    expect(() => renumberSample(sample)).toThrow()
  })
})

test.each([
  ['VPS', [32 << 1, 1, 0x0c, 0x01]],
  ['SPS', [33 << 1, 1, 0x01, ...Array(12).fill(0x11), 0b1_0100000]],
  ['PPS', [34 << 1, 1, 0b1_1_010000]],
])('renumbers a %s', (_, bytes) => {
  const set = Buffer.from(bytes)
  expect(setNumberOf(set)).toBe(0)
  expect(setNumberOf(renumberSet(set))).toBe(HEVC_PARAMETER_SET)
})

test('turns a CRA frame into a BLA frame', () => {
  const sample = withLength([39 << 1, 1, 0xff], [21 << 1, 1, 0xff])
  expect(breakLink(sample)).toBe(true)
  expect(sample).toEqual(withLength([39 << 1, 1, 0xff], [18 << 1, 1, 0xff]))
  expect(breakLink(withLength([19 << 1, 1, 0xff]))).toBe(false)
})

test('refuses a frame of many tiny units, so that all of the video is encoded', () => {
  const messagesOf = (count: number) => Buffer.alloc(7 * count, withLength([39 << 1, 1, 0xff]))
  expect(breakLink(messagesOf(10_000))).toBe(false)
  const sample = messagesOf(1_000_000)
  expect(() => breakLink(sample)).toThrow(CutMismatch)
  expect(() => renumberSample(sample)).toThrow(CutMismatch)
})

test('lists units one at a time', () => {
  const truncated = Buffer.concat([withLength([39 << 1, 1, 0xff]), Buffer.from([0])])
  const units = splitUnits(truncated)
  expect(units.next().value).toEqual(Buffer.from([39 << 1, 1, 0xff]))
  expect(() => units.next()).toThrow(CutMismatch)
})
