import type { MediaProbe } from '../../planning/facts.ts'
import { NO_BRANDS, type VideoContainer } from './containers.ts'

const APPLE = 'com.apple.quicktime.'

/** Tags that users expect to keep, under their plain names and the names that phones and cameras write. */
const NAMES = {
  title: `${APPLE}title`,
  make: `${APPLE}make`,
  model: `${APPLE}model`,
  location: `${APPLE}location.ISO6709`,
} as const

/** The tags that MediaProbe.tags may contain. */
export const KEPT_TAGS: readonly string[] = [
  'creation_time',
  ...Object.keys(NAMES),
  ...Object.values(NAMES),
  `${APPLE}creationdate`,
  `${APPLE}software`,
]

/**
 * Returns options that keep title, date, location, make and model. By default, ffmpeg drops the date, and makers'
 * tags stored under custom keys. strip_metadata drops all of them.
 */
export function keepMetadata({ tags = {} }: Pick<MediaProbe, 'tags'>, container: VideoContainer): string[] {
  const date = tags.creation_time === undefined ? [] : setTag('creation_time', tags.creation_time)
  if (container !== 'mp4' && container !== 'mov') return date
  const has_keys = Object.keys(tags).some((name) => name.startsWith(APPLE))
  // An MP4 can store a make only under custom keys. All tags then use keys, and location and title use Apple's
  // names.
  if (!has_keys && tags.make === undefined && tags.model === undefined) return date
  const named = Object.entries(NAMES).flatMap(([plain, key]) => {
    const value = tags[key] ?? tags[plain]
    return value === undefined ? [] : setTag(key, value)
  })
  return [...date, ...named, ...NO_BRANDS, '-movflags', '+use_metadata_tags']
}

function setTag(name: string, value: string): string[] {
  return ['-metadata', `${name}=${value}`]
}
