import { expect, test } from 'vitest'
import { placesAmong } from './places.ts'

test.each([
  'GPS:GPSLatitude',
  'Panasonic:City2',
  'Pentax:HometownCity',
  'IPTC:Sub-location',
  'XMP-iptcExt:LocationShownCity',
])('%s names a place', (name) => expect(placesAmong([name])).toEqual([name]))

test.each([
  'XMP-iptcCore:CreatorCity',
  'ExifIFD:SubjectLocation',
  'Composite:GPSPosition',
  'Canon:FocusLocation',
])('%s says nothing of where the image was taken', (name) => expect(placesAmong([name])).toEqual([]))
