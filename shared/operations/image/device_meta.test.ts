import { expect, test } from 'vitest'
import { DEVICE_KEYS, DEVICES } from '../devices.ts'
import { sampleImage } from '../sample-facts.ts'
import { device_meta } from './device_meta.ts'

function tagsOf(params: Record<string, unknown>) {
  const edit = device_meta.edit?.({
    params: device_meta.parameters.parse(params),
    facts: { image: sampleImage() },
  })
  if (edit === undefined || !('metadata' in edit) || edit.metadata === null) throw new Error('no metadata')
  return edit.metadata
}

test('the twenty devices of the specification', () => {
  expect(DEVICE_KEYS).toHaveLength(20)
  expect(new Set(Object.values(DEVICES).map(({ model }) => model)).size).toBe(20)
})

test.each(DEVICE_KEYS)(
  '%s: an exposure that a camera would choose by day, and a lens that can do it',
  (preset) => {
    const { strip, tags } = tagsOf({ preset })
    expect(strip).toBe('all')
    const { lens_range, focal_length_mm, f_number } = DEVICES[preset]
    const [shortest, longest, aperture] = lens_range
    expect(focal_length_mm).toBeGreaterThanOrEqual(shortest)
    expect(focal_length_mm).toBeLessThanOrEqual(longest)
    expect(f_number).toBeGreaterThanOrEqual(aperture)
    expect(tags['ExifIFD:BrightnessValue']).toBeGreaterThan(5)
    expect(tags['ExifIFD:BrightnessValue']).toBeLessThan(10)
  },
)

test('the time is that of the place, with its offset where it was given', () => {
  const { strip, tags } = tagsOf({
    preset: 'nikon_z8',
    metadata_mode: 'merge',
    creation_time: '2026-05-01T12:30:00+02:00',
  })
  expect(strip).toBe('none')
  expect(tags).toMatchObject({
    'ExifIFD:DateTimeOriginal': '2026:05:01 12:30:00',
    'ExifIFD:OffsetTimeOriginal': '+02:00',
  })
  expect(tagsOf({ preset: 'nikon_z8', creation_time: '2026-05-01T12:30' }).tags).toMatchObject({
    'ExifIFD:DateTimeOriginal': '2026:05:01 12:30:00',
  })
  expect(tagsOf({ preset: 'nikon_z8' }).tags).not.toHaveProperty('ExifIFD:DateTimeOriginal')
})
