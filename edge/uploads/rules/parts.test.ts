import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeContent, judgePartList, partBytesOf, planParts } from './parts.ts'

const MIB = 1024 ** 2

describe('the parts of an upload', () => {
  test.each([
    [1, 5 * MIB, 1],
    [5 * MIB, 5 * MIB, 1],
    [5 * MIB + 1, 5 * MIB, 2],
    [250 * MIB, 5 * MIB, 50],
    [300 * MIB, 6 * MIB, 50],
    [5 * 1024 * MIB, 103 * MIB, 50],
  ])('of %i bytes are %i bytes each, %i in number', (size, part_bytes, part_count) => {
    expect(planParts(size)).toEqual({ part_bytes, part_count })
  })

  test('add up to the whole, are equal except for the last, and number about fifty at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 * 1024 ** 3 }), (size) => {
        const plan = planParts(size)
        const sizes = Array.from(
          { length: plan.part_count },
          (_, index) => partBytesOf(index + 1, size, plan) ?? 0,
        )
        expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBe(size)
        expect(sizes.slice(0, -1).every((bytes) => bytes === plan.part_bytes)).toBe(true)
        expect(sizes.at(-1)).toBeGreaterThan(0)
        expect(plan.part_count).toBeLessThanOrEqual(50)
      }),
    )
  })

  test.each([0, -1, 3, 1.5, Number.NaN])('do not include part %d', (number) => {
    expect(partBytesOf(number, 6 * MIB, planParts(6 * MIB))).toBeNull()
  })

  test.each([
    [[1, 2, 3], null],
    [[1, 3], { code: 'parts_missing', facts: { missing: 1, part_count: 3, first: 2 } }],
    [[], { code: 'parts_missing', facts: { missing: 3, part_count: 3, first: 1 } }],
    [[1, 2, 3, 3], { code: 'too_many_parts', facts: { listed: 4, part_count: 3 } }],
    [[3, 2, 1], { code: 'parts_out_of_order' }],
  ])('are judged when listed as %j', (numbers, refusal) => {
    expect(judgePartList(numbers, { part_bytes: 5 * MIB, part_count: 3 })).toEqual(refusal)
  })
})

describe('an uploaded file', () => {
  test.each([
    ['gzip', 'file_encoded'],
    ['Identity', null],
    ['', null],
    [undefined, null],
  ])('with the Content-Encoding %j is judged', (content_encoding, code) => {
    const found = { size_bytes: 10, kind: 'video', content_encoding } as const
    expect(judgeContent({ size_bytes: 10, content_type: 'video/mp4' }, found)?.code ?? null).toBe(code)
  })

  const judge = (content_type: string, kind: 'video' | 'image' | 'audio' | 'other', size_bytes = 10) =>
    judgeContent({ size_bytes: 10, content_type }, { size_bytes, kind })?.code ?? null

  test.each([
    ['video/mp4', 'video', null],
    ['video/mp4', 'other', null],
    ['video/mp4', 'image', 'file_type_mismatch'],
    ['VIDEO/MP4', 'image', 'file_type_mismatch'],
    ['video/mp4', 'audio', 'file_type_mismatch'],
    ['image/png', 'video', 'file_type_mismatch'],
    ['audio/mp4', 'video', null],
    ['audio/mpeg', 'image', 'file_type_mismatch'],
    ['application/octet-stream', 'image', null],
  ] as const)('declared as %s and detected as %s: %s', (type, kind, code) => {
    expect(judge(type, kind)).toBe(code)
  })

  test('has the declared length', () => {
    expect([judge('video/mp4', 'video', 11), judge('video/mp4', 'video', 9)]).toEqual([
      'file_larger_than_declared',
      'file_truncated',
    ])
  })
})
