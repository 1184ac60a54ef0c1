import { z } from 'zod'
import { CreationTime } from '../../devices/creation-time.ts'
import { DEVICE_HABITS } from '../../devices/device-habits.ts'
import { DEVICE_KEYS, DEVICES, type Device } from '../../devices/devices.ts'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'

/** Writes the EXIF tags of a device (Contract: Image operations). Does not re-encode the pixels. */
export const device_meta = defineImageEdit({
  key: 'device_meta',
  stem: 'tagged',
  title: 'Device metadata',
  description: 'Writes the EXIF tags of a phone or camera: make, model, lens, software and exposure.',
  credits: 2,
  family: 'device_meta',
  facts: ['image'],
  parameters: z.object({
    preset: z.enum(DEVICE_KEYS).describe('Device whose tags are written'),
    metadata_mode: z
      .enum(['set', 'merge'])
      .default('set')
      .describe(
        'Treatment of existing metadata. set replaces all of it. merge keeps metadata that does not come from a device (author, captions, rights, ratings, location, and dates unless creation_time is set) and removes tags written by another device',
      ),
    creation_time: CreationTime.optional().describe(
      'Capture time, such as 2026-05-01T12:30:00. Default: no time is written',
    ),
  }),
  presets: [
    { label: 'iPhone 16 Pro', params: { preset: 'iphone_16_pro' } },
    { label: 'Galaxy S25 Ultra', params: { preset: 'samsung_galaxy_s25_ultra' } },
    { label: 'Canon EOS R5', params: { preset: 'canon_eos_r5' } },
  ],
  edit({ params, facts: { image } }) {
    const tags = { ...deviceTags(DEVICES[params.preset]), ...timeTags(params.creation_time) }
    return imageEdit(image, {
      metadata: { strip: params.metadata_mode === 'set' ? 'all' : ['device'], tags },
    })
  },
})

type Tags = Record<string, string | number>

/** Deletes a tag. In merge mode, a tag from another camera, such as its lens, would contradict the new ones. */
const ABSENT = ''

/** Tags that EXIF requires in every JPEG: versions, and the component order Y, Cb, Cr. */
const REQUIRED: Tags = {
  'ExifIFD:ExifVersion': '0232',
  'ExifIFD:FlashpixVersion': '0100',
  'ExifIFD:ComponentsConfiguration': '1 2 3 0',
}

/** Returns the EXIF tags of a daylight photo, as the raw values that exiftool accepts with -n. */
function deviceTags(device: Device): Tags {
  const { lens } = device
  const habits = DEVICE_HABITS[device.make]
  const tags: Tags = {
    'IFD0:Make': device.make,
    'IFD0:Model': device.model,
    'IFD0:Software': device.software ?? ABSENT,
    'IFD0:XResolution': habits.resolution_dpi,
    'IFD0:YResolution': habits.resolution_dpi,
    'IFD0:ResolutionUnit': 2,
    'IFD0:YCbCrPositioning': habits.chroma_position,
    ...REQUIRED,
    'ExifIFD:LensMake': lens?.make ?? ABSENT,
    'ExifIFD:LensModel': lens?.model ?? ABSENT,
    'ExifIFD:LensInfo': lens?.range?.join(' ') ?? ABSENT,
    'ExifIFD:FocalLength': device.focal_length_mm,
    'ExifIFD:FocalLengthIn35mmFormat': device.focal_length_35mm ?? ABSENT,
    ...exposureTags(device),
    'ExifIFD:ISO': device.iso,
    'ExifIFD:ExposureProgram': 2,
    'ExifIFD:ExposureCompensation': 0,
    'ExifIFD:MeteringMode': habits.metering_mode,
    'ExifIFD:Flash': habits.flash,
    'ExifIFD:ExposureMode': 0,
    'ExifIFD:WhiteBalance': 0,
    'ExifIFD:SceneCaptureType': 0,
    'ExifIFD:SensingMethod': 2,
    // A directly photographed image.
    'ExifIFD:SceneType': 1,
    'ExifIFD:ColorSpace': 1,
  }
  return { ...tags, ...Object.fromEntries(habits.omits.map((name) => [name, ABSENT])) }
}

function exposureTags(device: Device): Tags {
  const seconds = 1 / device.exposure_fraction
  return {
    'ExifIFD:FNumber': device.f_number,
    'ExifIFD:ApertureValue': device.f_number,
    'ExifIFD:ExposureTime': seconds,
    'ExifIFD:ShutterSpeedValue': seconds,
    'ExifIFD:BrightnessValue': brightnessOf(device, seconds),
  }
}

/** Returns the APEX brightness (aperture + time - speed), rounded to two decimals as cameras do. */
function brightnessOf({ f_number, iso }: Device, seconds: number): number {
  const value = 2 * Math.log2(f_number) + Math.log2(1 / seconds) - Math.log2(iso / 3.125)
  return Math.round(value * 100) / 100
}

/** Deletes other date tags, which would contradict the new creation time. */
const OTHER_TIMES: Tags = Object.fromEntries(
  [
    ...['ExifIFD:OffsetTime', 'ExifIFD:OffsetTimeOriginal', 'ExifIFD:OffsetTimeDigitized'],
    ...['ExifIFD:SubSecTime', 'ExifIFD:SubSecTimeOriginal', 'ExifIFD:SubSecTimeDigitized'],
    ...['GPS:GPSDateStamp', 'GPS:GPSTimeStamp', 'XMP-exif:DateTimeOriginal', 'XMP-exif:DateTimeDigitized'],
    ...['XMP-exif:GPSDateTime', 'XMP-photoshop:DateCreated', 'XMP-xmp:CreateDate', 'XMP-xmp:ModifyDate'],
    ...['XMP-xmp:MetadataDate', 'IPTC:DateCreated', 'IPTC:TimeCreated', 'IPTC:DigitalCreationDate'],
    ...['IPTC:DigitalCreationTime'],
    ...['PNG:CreationTime', 'PNG:ModifyDate', 'PNG:CreateDate', 'PNG:ModDate', 'PNG:TimeStamp'],
  ].map((name) => [name, ABSENT]),
)

/** Returns the date tags. EXIF stores local time, and its UTC offset in separate tags. */
function timeTags(creation_time: string | undefined): Tags {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)(:\d\d)?[^Z+-]*(Z|[+-]\d\d:\d\d)?$/.exec(
    creation_time ?? '',
  )
  if (parts === null) return {}
  const [, year, month, day, minute, second = ':00', zone] = parts
  const time = `${year}:${month}:${day} ${minute}${second}`
  const offset = zone === 'Z' ? '+00:00' : zone
  return {
    'IFD0:ModifyDate': time,
    'ExifIFD:DateTimeOriginal': time,
    'ExifIFD:CreateDate': time,
    ...OTHER_TIMES,
    ...(offset === undefined ? {} : offsetTags(offset)),
  }
}

function offsetTags(offset: string): Tags {
  const names = ['OffsetTime', 'OffsetTimeOriginal', 'OffsetTimeDigitized']
  return Object.fromEntries(names.map((name) => [`ExifIFD:${name}`, offset]))
}
