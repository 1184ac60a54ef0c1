import { expect, test } from 'vitest'
import { DEVICE_KEYS, DEVICES, type Device } from '../../devices/devices.ts'
import { sampleImage } from '../../planning/sample-facts.ts'
import { device_meta } from './device_meta.ts'

function tagsOf(params: Record<string, unknown>) {
  const edit = device_meta.edit?.({
    params: device_meta.parameters.parse(params),
    facts: { image: sampleImage() },
  })
  if (edit === undefined || !('metadata' in edit) || edit.metadata === null) throw new Error('no metadata')
  return edit.metadata
}

test('supports the twenty devices listed in the contract', () => {
  expect(DEVICE_KEYS).toHaveLength(20)
  expect(new Set(Object.values(DEVICES).map(({ model }) => model)).size).toBe(20)
})

test.each(DEVICE_KEYS)('%s: daylight exposure is plausible for the lens', (preset) => {
  const { strip, tags } = tagsOf({ preset })
  expect(strip).toBe('all')
  const device: Device = DEVICES[preset]
  const { lens, focal_length_mm, f_number, iso, exposure_fraction } = device
  if (lens?.range != null) {
    const [shortest, longest, aperture] = lens.range
    expect(focal_length_mm).toBeGreaterThanOrEqual(shortest)
    expect(focal_length_mm).toBeLessThanOrEqual(longest)
    expect(f_number).toBeGreaterThanOrEqual(aperture)
  }
  const brightness = 2 * Math.log2(f_number) + Math.log2(exposure_fraction) - Math.log2(iso / 3.125)
  expect(brightness).toBeGreaterThan(5)
  expect(brightness).toBeLessThan(10)
  expect(['', Math.round(brightness * 100) / 100]).toContain(tags['ExifIFD:BrightnessValue'])
})

test('writes local time, with a UTC offset if given', () => {
  const { strip, tags } = tagsOf({
    preset: 'nikon_z8',
    metadata_mode: 'merge',
    creation_time: '2026-05-01T12:30:00+02:00',
  })
  expect(strip).toEqual(['device'])
  expect(tags).toMatchObject({
    'ExifIFD:DateTimeOriginal': '2026:05:01 12:30:00',
    'ExifIFD:OffsetTimeOriginal': '+02:00',
    'ExifIFD:OffsetTimeDigitized': '+02:00',
    'ExifIFD:SubSecTimeOriginal': '',
  })
  expect(tagsOf({ preset: 'nikon_z8', creation_time: '2026-05-01T12:30' }).tags).toMatchObject({
    'ExifIFD:DateTimeOriginal': '2026:05:01 12:30:00',
  })
  expect(tagsOf({ preset: 'nikon_z8' }).tags).not.toHaveProperty('ExifIFD:DateTimeOriginal')
})

test.each([
  ['samsung_galaxy_s24', ['LensMake', 'LensModel', 'LensInfo']],
  ['google_pixel_8_pro', ['LensInfo']],
  ['xiaomi_14_ultra', ['LensModel']],
  ['sony_a7_iv', ['LensMake', 'ApertureValue']],
  ['canon_eos_r5', ['LensMake', 'FocalLengthIn35mmFormat', 'BrightnessValue']],
  ['nikon_z8', ['BrightnessValue', 'ApertureValue', 'ShutterSpeedValue']],
] as const)(
  '%s omits the tags that photos of this maker lack, and deletes them from the input: %j',
  (preset, names) => {
    const { tags } = tagsOf({ preset, metadata_mode: 'merge' })
    for (const name of names) expect(tags[`ExifIFD:${name}`], name).toBe('')
    expect(tags['IFD0:Model']).toBe(DEVICES[preset].model)
  },
)
