import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blankPlaces, placesAmong } from './places.ts'

test.each([
  'GPS:GPSLatitude',
  'Panasonic:City2',
  'Pentax:HometownCity',
  'IPTC:Sub-location',
  'XMP-iptcExt:LocationShownCity',
  'Pentax:HometownCityCode',
  'Canon:TimeZoneCity',
  'Nikon:Altitude',
  'Samsung:LocalLocationName',
  'XMP-dwc:DCStateProvince',
  'XMP-dwc:DCWaterBody',
  'XMP-cell:CellTowerID',
])('%s is a location', (name) => expect(placesAmong({ [name]: 'NYC' })).toEqual([name]))

test.each([
  'XMP-iptcCore:CreatorCity',
  'ExifIFD:SubjectLocation',
  'Composite:GPSPosition',
  'Canon:FocusLocation',
  'XMP-plus:LicensorCountry',
  'XMP-iptcExt:RatingRegionCity',
  'XMP-dwc:DCEvent',
  'ExifIFD:ISOSpeedLatitudeyyy',
  'Photoshop:GlobalAltitude',
])('%s is not the location of the image', (name) => expect(placesAmong({ [name]: 'NYC' })).toEqual([]))

test.each(['', '    ', 'n/a'])('ignores the city %j, which means "not set"', (value) =>
  expect(placesAmong({ 'Canon:TimeZoneCity': value })).toEqual([]),
)

/** Appends data to an empty JPEG, blanks its places, and returns the appended data. */
async function blank(appended: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-places-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [input, output] = [join(folder, 'in.jpg'), join(folder, 'out.jpg')]
  await writeFile(input, Buffer.concat([JPEG, appended]))
  await blankPlaces('jpeg', input, output, AbortSignal.timeout(30_000))
  return (await readFile(output)).subarray(JPEG.length)
}

const JPEG = Buffer.from('\xff\xd8\xff\xd9', 'latin1')
const FTYP = Buffer.from('\0\0\0\x08ftyp', 'latin1')
const UUID = Buffer.from('\0\0\0\x08uuid', 'latin1')
/** A box size larger than the file. */
const NO_BOX = Buffer.alloc(8, 0xff)

// Reading on to the end of the file for every video and every segment would take minutes.
test('reads each byte as part of one video or one segment only', async () => {
  const boxes = Buffer.concat(Array.from({ length: 8000 }, () => [FTYP, UUID]).flat())
  const segments = Buffer.alloc(2_000_000, Buffer.from('\xff\xe1\xff\xffExif\0\0', 'latin1'))
  const blanked = await blank(Buffer.concat([boxes, segments]))
  expect(blanked.length).toBe(boxes.length + segments.length)
  expect(blanked.includes('uuid')).toBe(false)
  expect(blanked.includes('Exif')).toBe(false)
})

test('refuses an image with too many videos', async () => {
  const videos = Buffer.concat(Array.from({ length: 200 }, () => [FTYP, NO_BOX]).flat())
  await expect(blank(videos)).rejects.toThrow('too many videos')
})
