import type { LinkRequest } from '../planning/operation.ts'
import type { LinkFormat } from './info.ts'

/** What yt-dlp fetches by itself, over http and https alone. */
const PROTOCOLS = ['http', 'https', 'm3u8', 'm3u8_native', 'http_dash_segments']

/** What is fetched: one file with both, or a picture and the sound that belongs to it. */
export interface ChosenFormats {
  picture: LinkFormat | null
  sound: LinkFormat | null
}

/** Families of codecs by what sites call them; earlier ones play on more devices. */
const PICTURE_RANK = [/^(avc|h264)/, /^(vp0?9|vp8)/, /^av0?1/, /^(hev|hvc|h265)/]
const SOUND_FAMILIES = { aac: /^(mp4a|aac)/, mp3: /^mp3/, opus: /^opus/ } as const
type SoundCodec = keyof typeof SOUND_FAMILIES

/** The formats that meet a request best; null where nothing of the kind can be fetched. */
export function chooseFormats(
  formats: readonly LinkFormat[],
  { media, lines_max, sound_codec }: Pick<LinkRequest, 'media' | 'lines_max' | 'sound_codec'>,
): ChosenFormats | null {
  const open = formats.filter(isFetchable)
  if (media === 'sound') {
    const sound = bestOf(open.filter(hasSound), [
      (format) => Number(sound_codec !== null && isCodec(format, sound_codec)),
      (format) => Number(!hasPicture(format)),
      ...SOUND_ORDER,
      (format) => -(linesOf(format) ?? 0),
    ])
    return sound === null ? null : { picture: null, sound }
  }
  const picture = bestOf(withinLines(open.filter(hasPicture), lines_max), [
    (format) => linesOf(format) ?? 0,
    (format) => Number(format.dynamic_range === null || format.dynamic_range === 'SDR'),
    (format) => Math.round(format.fps ?? 0),
    (format) => -pictureRank(format),
    (format) => Number(hasSound(format)),
    (format) => format.tbr ?? 0,
  ])
  if (picture === null) return null
  if (hasSound(picture)) return { picture, sound: null }
  const matching = /^(webm|mkv)$/.test(picture.ext ?? '') ? 'opus' : 'aac'
  const sound = bestOf(open.filter(hasSound), [
    (format) => Number(!hasPicture(format)),
    ...SOUND_ORDER.slice(0, 1),
    (format) => Number(isCodec(format, matching)),
    ...SOUND_ORDER.slice(1),
  ])
  return { picture, sound }
}

type Key = (format: LinkFormat) => number

/** The language that was spoken before dubbed ones, then the better sound. */
const SOUND_ORDER: readonly Key[] = [
  (format) => format.language_preference ?? -1,
  (format) => format.abr ?? format.tbr ?? 0,
]

function isFetchable({ protocol, url, has_drm }: LinkFormat): boolean {
  return !has_drm && /^https?:\/\//i.test(url) && PROTOCOLS.includes(protocol ?? '')
}

function hasPicture({ vcodec }: LinkFormat): boolean {
  return vcodec !== 'none'
}

function hasSound({ acodec }: LinkFormat): boolean {
  return acodec !== 'none'
}

function isCodec({ acodec, ext }: LinkFormat, codec: SoundCodec): boolean {
  return SOUND_FAMILIES[codec].test(acodec ?? ext ?? '')
}

/** "1080p" counts the shorter side, so that upright videos keep their width. */
function linesOf({ width, height }: LinkFormat): number | null {
  return width !== null && height !== null ? Math.min(width, height) : height
}

function pictureRank({ vcodec }: LinkFormat): number {
  const rank = PICTURE_RANK.findIndex((family) => family.test(vcodec ?? ''))
  return rank < 0 ? PICTURE_RANK.length : rank
}

/** Those within the limit; where all are larger, the smallest ones. */
function withinLines(formats: readonly LinkFormat[], lines_max: number | null): readonly LinkFormat[] {
  if (lines_max === null) return formats
  const within = formats.filter((format) => (linesOf(format) ?? 0) <= lines_max)
  if (within.length > 0) return within
  const least = Math.min(...formats.map((format) => linesOf(format) ?? 0))
  return formats.filter((format) => linesOf(format) === least)
}

/** The format with the highest first key, by the next keys where that is the same; null of none. */
function bestOf(formats: readonly LinkFormat[], keys: readonly Key[]): LinkFormat | null {
  const compare = (one: LinkFormat, other: LinkFormat) => {
    for (const key of keys) if (key(one) !== key(other)) return key(other) - key(one)
    return 0
  }
  return formats.toSorted(compare)[0] ?? null
}
