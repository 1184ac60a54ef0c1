import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const BYTES = 3_000_000

/** A file of zeros, except for one byte. */
function fileWith(position: number): Blob {
  const bytes = new Uint8Array(BYTES)
  bytes[position] = 1
  return new Blob([bytes])
}

test('equal files have the same fingerprint', async () => {
  expect(await fingerprintOf(fileWith(0))).toBe(await fingerprintOf(fileWith(0)))
  expect(await fingerprintOf(new Blob([]))).toMatch(/^[0-9a-f]{64}$/)
})

test('files of one size that differ at the start, in a sample within, or at the end have different ones', async () => {
  const within = Math.round(((BYTES - 64 * 1024) * 7) / 15)
  const fingerprints = await Promise.all([0, within, BYTES - 1].map((at) => fingerprintOf(fileWith(at))))
  expect(new Set(fingerprints).size).toBe(3)
})
