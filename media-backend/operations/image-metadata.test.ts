import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { DEVICE_KEYS, DEVICES, type Device } from '../../shared/devices/devices.ts'
import { photo } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'
import { SECRET, withMakerNote } from '../testing/planted.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

const PRIVATE = [
  ...['-Make=TestCam', '-Model=X1', '-Artist=Somebody', '-Comment=hello', '-Orientation#=6'],
  ...['-GPSLatitude=48.2', '-GPSLatitudeRef=N', '-GPSLongitude=16.37', '-GPSLongitudeRef=E'],
  ...['-XMP:GPSLatitude=48.2', '-XMP:Creator=Somebody', '-IPTC:City=Wien', '-XMP:City=Wien'],
]

const FORMATS = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const
type Format = (typeof FORMATS)[number]

const images = new Map<Format, Promise<Buffer>>()

/** Makes an image with the tags that a camera writes: person, location, time and orientation. */
function tagged(format: Format): Promise<Buffer> {
  const image = images.get(format) ?? tag(format)
  images.set(format, image)
  return image
}

async function tag(format: Format): Promise<Buffer> {
  const plain = await withFile(await photo(96, 64), (path) =>
    sharp(path).withIccProfile('p3').toFormat(format).toBuffer(),
  )
  return withFile(plain, async (path) => {
    await exiftool.run('-m', '-overwrite_original', ...PRIVATE, path)
    return readFile(path)
  })
}

/** Returns all tags that exiftool finds, keyed by group and name. */
function readTags(content: Buffer): Promise<Record<string, unknown>> {
  return withFile(content, async (path) => {
    const output = await exiftool.run('-json', '-G1', '-n', path)
    const [tags] = z.tuple([z.record(z.string(), z.unknown())]).parse(JSON.parse(output))
    return tags
  })
}

function readPixels(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path).raw().toBuffer())
}

test.each(FORMATS)('strip_meta of %s removes private data, and keeps pixels and colors', async (format) => {
  const input = await tagged(format)
  const { content } = await operateImage(input, [['strip_meta']])
  const tags = await readTags(content)
  const text = JSON.stringify(tags)
  for (const gone of ['TestCam', 'Somebody', 'Wien', 'hello', 'GPS']) expect(text).not.toContain(gone)
  expect(text).toContain('ICC_Profile:ProfileDescription')
  expect(await readPixels(content)).toEqual(await readPixels(input))
  if (format === 'jpeg') expect(tags['IFD0:Orientation']).toBe(6)
})

test('removes trailing data of a JPEG', async () => {
  const input = Buffer.concat([await tagged('jpeg'), Buffer.from('SECRET after the image')])
  expect((await operateImage(input, [['strip_meta']])).content.includes('SECRET')).toBe(false)
})

test.each(['jpeg', 'png', 'avif'] as const)('strip_meta of %s removes only the location', async (format) => {
  const input = await tagged(format)
  const { content } = await operateImage(input, [['strip_meta', { metadata_mode: 'merge', strip_gps: true }]])
  const tags = await readTags(content)
  expect(JSON.stringify(tags)).not.toMatch(/GPS|Wien/)
  expect(tags).toMatchObject({ 'IFD0:Make': 'TestCam', 'IFD0:Artist': 'Somebody' })
  expect(await readPixels(content)).toEqual(await readPixels(input))
})

test.each(DEVICE_KEYS)('exiftool reads %s', async (preset) => {
  const device: Device = DEVICES[preset]
  const { content } = await operateImage(await tagged('jpeg'), [['device_meta', { preset }]])
  const tags = await readTags(content)
  const output = {
    'IFD0:Make': device.make,
    'IFD0:Model': device.model,
    'IFD0:Software': device.software ?? undefined,
    'IFD0:Orientation': 6,
    'ExifIFD:LensMake': device.lens?.make ?? undefined,
    'ExifIFD:LensModel': device.lens?.model,
    'ExifIFD:FNumber': device.f_number,
    'ExifIFD:ISO': device.iso,
    'ExifIFD:FocalLength': device.focal_length_mm,
    'ExifIFD:FocalLengthIn35mmFormat': device.focal_length_35mm ?? undefined,
    'ExifIFD:ExposureTime': expect.closeTo(1 / device.exposure_fraction, 8),
  }
  for (const [name, value] of Object.entries(output)) expect(tags[name], name).toEqual(value)
  expect(JSON.stringify(tags)).not.toMatch(/Somebody|GPS|Wien/)
  expect(tags).toMatchObject({
    'ExifIFD:ExifImageWidth': 96,
    'ExifIFD:ExifImageHeight': 64,
    'ExifIFD:SceneType': 1,
  })
  expect(await validate(content)).toBe('OK')
})

test('writes valid EXIF for a device in a TIFF', async () => {
  const { content } = await operateImage(await tagged('tiff'), [['device_meta', { preset: 'canon_eos_r5' }]])
  expect(await readTags(content)).toMatchObject({ 'IFD0:Make': DEVICES.canon_eos_r5.make })
  // The baseline tags come from the sample, so only warnings about EXIF matter.
  expect(await validate(content)).not.toContain('ExifIFD')
})

async function validate(content: Buffer): Promise<string> {
  const output = await withFile(content, (path) =>
    exiftool.run('-s3', '-a', '-validate', '-warning', '-error', path),
  )
  return output.trim()
}

/** Tags of another device: serial numbers, lens, host, time zone and a maker note. */
const OTHER_DEVICE = [
  ...['SerialNumber', 'LensSerialNumber', 'LensModel', 'LensMake', 'HostComputer', 'XMP-aux:Lens'].map(
    (name) => `-${name}=${SECRET}`,
  ),
  ...[
    `-XMP-exifEX:SerialNumber=${SECRET}`,
    `-XMP-xmp:CreatorTool=${SECRET}`,
    '-Artist=Somebody',
    '-Rating=4',
  ],
  ...['-OffsetTimeOriginal=+09:00', '-SubSecTimeOriginal=77', '-GPSLatitude=48.2', '-GPSLatitudeRef=N'],
  ...['-GPSDateStamp=2001:02:03', '-XMP-photoshop:DateCreated=2001:02:03', '-FlashEnergy=3', '-Contrast=2'],
]

test.each(['canon_eos_r5', 'iphone_16', 'sony_a7_iv', 'samsung_galaxy_s24'] as const)(
  'merging device_meta into %s removes all tags of another device and keeps texts by people',
  async (preset) => {
    const noted = withMakerNote(await photo(96, 64))
    const input = await withFile(noted, async (path) => {
      await exiftool.run('-m', '-overwrite_original', '-n', ...OTHER_DEVICE, path)
      return readFile(path)
    })
    const params = { preset, metadata_mode: 'merge', creation_time: '2026-05-01T12:30:00' }
    const { content } = await operateImage(input, [['device_meta', params]])
    expect(content.includes(SECRET)).toBe(false)
    const tags = await readTags(content)
    expect(Object.keys(tags).join()).not.toMatch(/OffsetTime|SubSec|GPSDate|DateCreated|FlashEnergy|Contrast/)
    expect(tags).toMatchObject({ 'IFD0:Artist': 'Somebody', 'GPS:GPSLatitude': 48.2, 'XMP-xmp:Rating': 4 })
    expect(await validate(content)).toBe('OK')
  },
)

test.each(['jpeg', 'webp', 'tiff'] as const)(
  'merging device_meta into %s keeps the pixels and the tags that do not describe the device',
  async (format) => {
    const input = await tagged(format)
    const params = { preset: 'nikon_z8', metadata_mode: 'merge', creation_time: '2026-05-01T12:30:00Z' }
    const { content } = await operateImage(input, [['device_meta', params]])
    expect(await readTags(content)).toMatchObject({
      'IFD0:Model': 'NIKON Z 8',
      'IFD0:Artist': 'Somebody',
      'ExifIFD:DateTimeOriginal': '2026:05:01 12:30:00',
      'GPS:GPSLatitude': 48.2,
    })
    expect(await readPixels(content)).toEqual(await readPixels(input))
  },
)

const THEN: [string, ImageSpec[]][] = [
  ['alone', []],
  ['re-encoded', [['resize', { width: 32 }]]],
]

test.each(THEN)(
  'the lens of another camera is removed for a device without a lens tag (merge, %s)',
  async (_, others) => {
    const { content: other } = await operateImage(await tagged('jpeg'), [
      ['device_meta', { preset: 'fujifilm_x_t5' }],
    ])
    expect(await readTags(other)).toHaveProperty('ExifIFD:LensModel')
    const device: ImageSpec = ['device_meta', { preset: 'samsung_galaxy_s24', metadata_mode: 'merge' }]
    const tags = await readTags((await operateImage(other, [['edit'], device, ...others])).content)
    expect(tags).toMatchObject({ 'IFD0:Model': 'Galaxy S24' })
    expect(JSON.stringify(tags)).not.toMatch(/Lens(Model|Make|Info)/)
  },
)

test('a re-encoded image contains no person, location or time', async () => {
  const { content, facts } = await operateImage(await tagged('jpeg'), [['compress']])
  expect(JSON.stringify(await readTags(content))).not.toMatch(/TestCam|Somebody|GPS|Wien|hello|ICC_Profile/)
  expect(facts).toMatchObject({ width: 64, height: 96 })
})

test('a pipeline writes device tags at the end, and merges them with the tags of the input', async () => {
  const device = { preset: 'canon_eos_r5', metadata_mode: 'merge' }
  const { content, facts } = await operateImage(await tagged('jpeg'), [
    ['edit'],
    ['device_meta', device],
    ['resize', { width: 32 }],
    ['convert', { format: 'webp' }],
  ])
  expect(facts).toMatchObject({ format: 'webp', width: 32, height: 48 })
  const tags = await readTags(content)
  expect(tags).toMatchObject({ 'IFD0:Model': 'Canon EOS R5', 'IFD0:Artist': 'Somebody' })
  expect(tags['IFD0:Orientation'] ?? 1).toBe(1)
})
