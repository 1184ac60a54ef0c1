import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { photo } from '../../testing/clips.ts'
import { describeImage, withFile } from '../../testing/describe-image.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { runImage } from './image.ts'
import { isSrgbProfile } from './srgb-profile.ts'

/** Makes a small photo with one change applied. */
async function smallJpeg(change: (image: Sharp) => Sharp): Promise<Buffer> {
  return withFile(await photo(), (path) => change(sharp(path)).jpeg({ quality: 30 }).toBuffer())
}

async function profileOf(name: string): Promise<Buffer> {
  const { icc } = await describeImage(await smallJpeg((image) => image.withIccProfile(name)))
  return icc ?? Buffer.alloc(0)
}

/** Makes a profile that contains only a description, encoded as in version 2. */
function describedAs(text: string): Buffer {
  const description = Buffer.concat([Buffer.from('desc\0\0\0\0\0\0\0\x20'), Buffer.from(`${text}\0`)])
  const directory = Buffer.alloc(16)
  directory.writeUInt32BE(1)
  directory.write('desc', 4)
  directory.writeUInt32BE(144, 8)
  directory.writeUInt32BE(description.length, 12)
  return Buffer.concat([Buffer.alloc(128), directory, description])
}

test('recognizes sRGB by the description of a profile', async () => {
  expect(isSrgbProfile(await profileOf('srgb'))).toBe(true)
  expect(isSrgbProfile(describedAs('sRGB IEC61966-2.1'))).toBe(true)
  expect(isSrgbProfile(await profileOf('p3'))).toBe(false)
  expect(isSrgbProfile(describedAs('Adobe RGB (1998)'))).toBe(false)
})

test('ignores a truncated profile', async () => {
  const whole = await profileOf('srgb')
  for (const length of [0, 130, 140, 200]) expect(isSrgbProfile(whole.subarray(0, length))).toBe(false)
})

test.each<[string, (image: Sharp) => Sharp, boolean]>([
  ['with an sRGB profile is kept', (image) => image.withIccProfile('srgb'), true],
  ['without a profile is kept', (image) => image, true],
  ['with another profile is re-encoded', (image) => image.withIccProfile('p3'), false],
  ['that must be rotated is re-encoded', (image) => image.withMetadata({ orientation: 6 }), false],
])('a JPEG that would become larger %s', async (_name, change, is_kept) => {
  const input = await smallJpeg(change)
  const folder = await mkdtemp(join(tmpdir(), 'fleet-profile-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'source'), input)
  const output = { file: 'out', format: 'jpeg', quality: 75, max_bytes: null, never_larger: true } as const
  const run = { folder, environment, signal: new AbortController().signal }
  const measured = await runImage({ kind: 'image', input: 'source', actions: [], output }, run)
  const content = await readFile(join(folder, 'out'))
  expect(measured.input_kept === true).toBe(is_kept)
  expect(content.equals(input)).toBe(is_kept)
  expect(content.length).toBeLessThanOrEqual(input.length)
})
