import { expect, test } from 'vitest'
import { sniffKind, sniffType } from './sniff.ts'

const fileOf = (brand: string) => new TextEncoder().encode(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1miaf`)

test.each([
  ...['avif', 'avis', 'heic', 'heix', 'hevc', 'mif1', 'msf1'],
  ...['avci', 'jpeg', 'j2ki', 'vvic', 'evbi', 'mif2', 'mif3', 'heim', 'miaf'],
])('a file of the brand %s is an image', async (brand) => {
  expect(await sniffKind(fileOf(brand))).toBe('image')
})

test.each(['isom', 'mp42', 'qt  ', 'M4V ', 'avc1'])('a file of the brand %s is a video', async (brand) => {
  expect(await sniffKind(fileOf(brand))).toBe('video')
})

test('a short file has no type', async () => {
  expect(await sniffType(new Uint8Array([0, 0, 0, 24]))).toBeNull()
})
