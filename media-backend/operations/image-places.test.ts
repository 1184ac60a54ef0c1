import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { box } from '../testing/boxes.ts'
import { photo } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { HEIC } from '../testing/heic-image.ts'
import { operateImage } from '../testing/operate-image.ts'
import { motionVideo, plantInPng, SECRET } from '../testing/planted.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

const PLACE_TAGS = [
  ...[
    '-GPSLatitude=48.2',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=16.37',
    '-GPSLongitudeRef=E',
    '-Artist=Somebody',
  ],
  ...[
    `-XMP-photoshop:City=${SECRET}`,
    `-XMP-iptcExt:LocationShownCity=${SECRET}`,
    `-IPTC:Sub-location=${SECRET}`,
  ],
  ...[`-XMP-dwc:DCCountry=${SECRET}`, `-XMP-dwc:DCMunicipality=${SECRET}`, `-XMP-cell:CellTowerID=${SECRET}`],
  ...[`-XMP-mediapro:Location=${SECRET}`, '-XMP-exifEX:ISOSpeedLatitudeyyy=100', '-ISOSpeedLatitudeyyy=100'],
  ...[`-XMP-iptcExt:LocationCreatedCity=${SECRET}`, '-XMP-exif:GPSLatitude=48.2', `-IPTC:City=${SECRET}`],
]

function tag(content: Buffer): Promise<Buffer> {
  return withFile(content, async (path) => {
    await exiftool.run('-m', '-overwrite_original', '-n', ...PLACE_TAGS, path)
    return readFile(path)
  })
}

async function encoded(format: 'jpeg' | 'png'): Promise<Buffer> {
  return withFile(await photo(96, 64), (file) => sharp(file).toFormat(format).toBuffer())
}

const COORDINATES = '+48.2000'

async function withoutPlace(input: Buffer): Promise<Buffer> {
  const { content } = await operateImage(input, [['strip_meta', { metadata_mode: 'merge', strip_gps: true }]])
  const read = await withFile(content, (path) => exiftool.run('-a', '-u', '-G1', '-s', path))
  expect(read).not.toMatch(/GPS|City|Location/)
  expect(read).toContain('Somebody')
  expect(read).toMatch(/ExifIFD.*ISOSpeedLatitudeyyy/)
  expect(content.includes(SECRET)).toBe(false)
  expect(content.includes(COORDINATES)).toBe(false)
  return content
}

test('strip_gps removes locations from the text chunks of a PNG', async () => {
  const png = await tag(await encoded('png'))
  const input = plantInPng(png, ['Location', 'exif:GPSLatitude'])
  expect(input.includes('exif:GPSLatitude')).toBe(true)
  await withoutPlace(input)
})

test('strip_gps blanks the location in the video of a motion photo, which still plays', async () => {
  const video = await motionVideo()
  expect(video.includes(COORDINATES)).toBe(true)
  const preview = await tag(await encoded('jpeg'))
  const content = await withoutPlace(Buffer.concat([await tag(await encoded('jpeg')), preview, video]))
  const left = content.subarray(content.lastIndexOf('ftyp') - 4)
  expect(left.length).toBe(video.length)
  const track = await withFile(left, (path) => exiftool.run('-s', '-ImageWidth', '-Duration', path))
  expect(track).toMatch(/ImageWidth\s+: 64/)
})

test('strip_gps blanks the location in the video of a HEIC motion photo', async () => {
  const video = await motionVideo()
  const content = await withoutPlace(Buffer.concat([await tag(HEIC), box('mpvd', video)]))
  const at = content.lastIndexOf('ftyp') - 4
  expect(content.subarray(at, at + video.length).includes('moov')).toBe(true)
})
