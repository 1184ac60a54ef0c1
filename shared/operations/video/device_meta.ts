import { z } from 'zod'
import { CreationTime } from '../../devices/creation-time.ts'
import { DEVICE_KEYS, DEVICES, type Device } from '../../devices/devices.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { CleanedVideoBody } from '../../planning/result-body.ts'
import { NO_METADATA } from './strip_metadata.ts'

/** Makers of Android phones, whose videos also carry Android's device tags. */
const ANDROID_MAKES: readonly string[] = ['samsung', 'Google', 'Xiaomi', 'OnePlus', 'Sony', 'HUAWEI']

/**
 * Writes the container tags of a device (Contract: Video operations, Remux). Replaces all existing tags, because
 * the location or title of another recording would contradict them.
 */
export const device_meta = defineVideoEdit({
  key: 'device_meta',
  stem: 'tagged',
  title: 'Device metadata',
  description:
    'Replaces the metadata with the tags that a phone or camera writes. The video is copied. Subtitles, chapters, cover art, attachments and data tracks are removed, because they may name another device or location.',
  credits: 2,
  family: 'device_meta',
  facts: ['probe'],
  parameters: z.object({
    preset: z.enum(DEVICE_KEYS).describe('Device whose tags are written'),
    creation_time: CreationTime.optional().describe(
      'Recording time, such as 2026-05-01T12:30:00Z; UTC unless it has an offset. Default: no time is written',
    ),
  }),
  presets: [
    { label: 'iPhone 16 Pro', params: { preset: 'iphone_16_pro' } },
    { label: 'Galaxy S25 Ultra', params: { preset: 'samsung_galaxy_s25_ultra' } },
    { label: 'Sony A7 IV', params: { preset: 'sony_a7_iv' } },
  ],
  result_body: CleanedVideoBody,
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

/** Returns the date tags. The movie header stores UTC; Apple's tag stores local time with its offset. */
function timeTags(creation_time: string | undefined): Record<string, string> {
  if (creation_time === undefined) return {}
  const has_zone = /(Z|[+-]\d\d:\d\d)$/.test(creation_time)
  const utc = new Date(has_zone ? creation_time : `${creation_time}Z`).toISOString()
  return {
    creation_time: utc,
    'com.apple.quicktime.creationdate': has_zone ? creation_time : utc,
  }
}
