import type { MediaProbe } from '../../planning/facts.ts'
import { NO_BRANDS, type VideoContainer } from './containers.ts'

const APPLE = 'com.apple.quicktime.'

/** What a person expects to find again, by its plain name and by the one that phones and cameras write. */
const NAMES = {
  title: `${APPLE}title`,
  make: `${APPLE}make`,
  model: `${APPLE}model`,
  location: `${APPLE}location.ISO6709`,
} as const

/** The tags of a file that MediaProbe.tags has, where they are there. */
export const KEPT_TAGS: readonly string[] = [
  'creation_time',
  ...Object.keys(NAMES),
  ...Object.values(NAMES),
  `${APPLE}creationdate`,
  `${APPLE}software`,
]

/**
 * Options by which a result tells what its source told of its making: title, date, place, make and model.
 * ffmpeg itself leaves out the date, and the makers' names wherever they have keys of their own; strip_metadata
 * is the way to drop them all.
 */
export function keepMetadata({ tags = {} }: Pick<MediaProbe, 'tags'>, container: VideoContainer): string[] {
  const date = tags.creation_time === undefined ? [] : setTag('creation_time', tags.creation_time)
  if (container !== 'mp4' && container !== 'mov') return date
  const has_keys = Object.keys(tags).some((name) => name.startsWith(APPLE))
  // Only by such keys an MP4 holds a make: then all tags go by keys, and places and titles by Apple's names.
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
