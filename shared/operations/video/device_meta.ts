import { z } from 'zod'
import { CreationTime } from '../../devices/creation-time.ts'
import { DEVICE_KEYS, DEVICES, type Device } from '../../devices/devices.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { NO_METADATA } from './strip_metadata.ts'

/** Makers of phones that run Android, whose videos name the device by tags of their own. */
const ANDROID_MAKES: readonly string[] = ['samsung', 'Google', 'Xiaomi', 'OnePlus', 'Sony', 'HUAWEI']

/**
 * Videos, with a device's container tags (Contract: Video operations, Remux).
 * What the file told before is replaced: a place or a title of another recording would not fit.
 */
export const device_meta = defineVideoEdit({
  key: 'device_meta',
  stem: 'tagged',
  title: 'Device metadata',
  description:
    'Replaces the metadata by the tags that a phone or camera writes; the video is copied. Subtitles, chapters, cover art, attachments and data tracks are removed, as they may name another device or place.',
  credits: 2,
  family: 'device_meta',
  facts: ['probe'],
  parameters: z.object({
    preset: z.enum(DEVICE_KEYS).describe('The phone or camera'),
    creation_time: CreationTime.optional().describe(
      'When it was recorded, as 2026-05-01T12:30:00Z; without a zone UTC is meant; omitted, no time is written',
    ),
  }),
  presets: [
    { label: 'iPhone 16 Pro', params: { preset: 'iphone_16_pro' } },
    { label: 'Galaxy S25 Ultra', params: { preset: 'samsung_galaxy_s25_ultra' } },
    { label: 'Sony A7 IV', params: { preset: 'sony_a7_iv' } },
  ],
  edit({ params, facts: { probe } }) {
    const tags = { ...deviceTags(DEVICES[params.preset]), ...timeTags(params.creation_time) }
    const options = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
    return videoEdit(probe, {
      subtitles: 'none',
      options: [...NO_METADATA, '-movflags', '+use_metadata_tags', ...options],
    })
  },
})

function deviceTags({ make, model, software }: Device): Record<string, string> {
  const is_android = ANDROID_MAKES.includes(make)
  return {
    'com.apple.quicktime.make': make,
    'com.apple.quicktime.model': model,
    ...(software === null ? {} : { 'com.apple.quicktime.software': software }),
    ...(is_android ? { 'com.android.manufacturer': make, 'com.android.model': model } : {}),
  }
}

/** The movie header keeps the moment in UTC, Apple's tag the time of the place with its zone. */
function timeTags(creation_time: string | undefined): Record<string, string> {
  if (creation_time === undefined) return {}
  const has_zone = /(Z|[+-]\d\d:\d\d)$/.test(creation_time)
  const moment = new Date(has_zone ? creation_time : `${creation_time}Z`).toISOString()
  return {
    creation_time: moment,
    'com.apple.quicktime.creationdate': has_zone ? creation_time : moment,
  }
}
