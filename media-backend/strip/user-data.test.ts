import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blankUnit, blankUserData } from './user-data.ts'

const ID = Buffer.from('17ee8c60f84d11d98cd60800200c9a66', 'hex')
const X264 = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex')

function unit(...messages: [type: number, payload: Buffer][]): Buffer {
  const parts = messages.map(([type, payload]) =>
    Buffer.concat([Buffer.from([type, payload.length]), payload]),
  )
  return Buffer.concat([Buffer.from([6]), ...parts, Buffer.from([0x80])])
}

test('overwrites user data, but no other message of the unit', () => {
  const timing: [number, Buffer] = [1, Buffer.from([1, 2, 3])]
  const bytes = unit(timing, [5, Buffer.concat([ID, Buffer.from('2026-05-01')])])
  expect(blankUnit(bytes, 1)).toBe(1)
  expect(bytes).toEqual(unit(timing, [5, Buffer.alloc(26, 0xff)]))
})

test('keeps emulation prevention bytes, so that the unit keeps its declared length', () => {
  // 00 00 01 is encoded as 00 00 03 01; the size does not count the inserted byte.
  const payload = Buffer.concat([ID, Buffer.from([9, 0, 0, 3, 1, 9])])
  const bytes = Buffer.concat([Buffer.from([6, 5, payload.length - 1]), payload, Buffer.from([0x80])])
  expect(blankUnit(bytes, 1)).toBe(1)
  expect(bytes.subarray(-7)).toEqual(Buffer.from([0xff, 0, 0, 3, 0xff, 0xff, 0x80]))
})

test('keeps what an encoder writes about itself, because decoders read it', () => {
  expect(blankUnit(unit([5, X264]), 1)).toBe(0)
})

test.each([
  ['that are truncated', unit([5, ID]).subarray(0, 12)],
  ['with trailing bytes', Buffer.concat([unit([5, ID]), Buffer.from([1, 2])])],
])('keeps the bytes of units %s', (_what, bytes) => {
  const before = Buffer.from(bytes)
  expect(blankUnit(bytes, 1)).toBe(0)
  expect(bytes).toEqual(before)
})

test('refuses data full of overlapping units, which would take minutes to scan', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-user-data-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'coded')
  await writeFile(path, Buffer.alloc(1_000_000, Buffer.from([0, 0, 0xff, 0xff, 0x06])))
  const work = blankUserData(path, 'h264', AbortSignal.timeout(60_000))
  await expect(work).rejects.toThrow('its metadata units overlap')
})
