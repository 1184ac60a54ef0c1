import type { LinkRequest } from '../planning/operation.ts'
import type { LinkFormat } from './info.ts'

/** Protocols that yt-dlp downloads without external programs, over http and https only. */
const PROTOCOLS = ['http', 'https', 'm3u8', 'm3u8_native', 'http_dash_segments']

/** Formats to download: one file with both video and audio, or a separate file for each. */
export interface ChosenFormats {
  video: LinkFormat | null
  audio: LinkFormat | null
}

/** Codec families by the names that sites use, from the most to the least widely supported. */
const VIDEO_CODEC_RANK = [/^(avc|h264)/, /^(vp0?9|vp8)/, /^av0?1/, /^(hev|hvc|h265)/]
const AUDIO_CODEC_FAMILIES = { aac: /^(mp4a|aac)/, mp3: /^mp3/, opus: /^opus/ } as const
type AudioCodec = keyof typeof AUDIO_CODEC_FAMILIES

/** Chooses the formats that match a request best; returns null if none can be downloaded. */
export function chooseFormats(
  formats: readonly LinkFormat[],
  { media, lines_max, audio_codec }: Pick<LinkRequest, 'media' | 'lines_max' | 'audio_codec'>,
): ChosenFormats | null {
  const available = formats.filter(isFetchable)
  if (media === 'audio') {
    const audio = bestOf(available.filter(hasAudio), [
      (format) => Number(audio_codec !== null && isCodec(format, audio_codec)),
      (format) => Number(!hasVideo(format)),
      ...AUDIO_ORDER,
      (format) => -(linesOf(format) ?? 0),
    ])
    return audio === null ? null : { video: null, audio }
  }
  const video = bestOf(withinLines(available.filter(hasVideo), lines_max), [
    (format) => linesOf(format) ?? 0,
    (format) => Number(format.dynamic_range === null || format.dynamic_range === 'SDR'),
    (format) => Math.round(format.fps ?? 0),
    (format) => -videoCodecRank(format),
    (format) => Number(hasAudio(format)),
    (format) => format.tbr ?? 0,
  ])
  if (video === null) return null
  if (hasAudio(video)) return { video, audio: null }
  const matching = /^(webm|mkv)$/.test(video.ext ?? '') ? 'opus' : 'aac'
  const audio = bestOf(available.filter(hasAudio), [
    (format) => Number(!hasVideo(format)),
    ...AUDIO_ORDER.slice(0, 1),
    (format) => Number(isCodec(format, matching)),
    ...AUDIO_ORDER.slice(1),
  ])
  return { video, audio }
}

type Key = (format: LinkFormat) => number

/** Prefers the original language over dubbed audio, and then the higher bitrate. */
const AUDIO_ORDER: readonly Key[] = [
  (format) => format.language_preference ?? -1,
  (format) => format.abr ?? format.tbr ?? 0,
]

function isFetchable({ protocol, url, has_drm }: LinkFormat): boolean {
  return !has_drm && /^https?:\/\//i.test(url) && PROTOCOLS.includes(protocol ?? '')
}

function hasVideo({ vcodec }: LinkFormat): boolean {
  return vcodec !== 'none'
}

function hasAudio({ acodec }: LinkFormat): boolean {
  return acodec !== 'none'
}

function isCodec({ acodec, ext }: LinkFormat, codec: AudioCodec): boolean {
  return AUDIO_CODEC_FAMILIES[codec].test(acodec ?? ext ?? '')
}

/** Returns the shorter side, which is what "1080p" refers to, even for portrait videos. */
function linesOf({ width, height }: LinkFormat): number | null {
  return width !== null && height !== null ? Math.min(width, height) : height
}

function videoCodecRank({ vcodec }: LinkFormat): number {
  const rank = VIDEO_CODEC_RANK.findIndex((family) => family.test(vcodec ?? ''))
  return rank < 0 ? VIDEO_CODEC_RANK.length : rank
}

/** Returns the formats within the limit, or the smallest ones if all exceed it. */
function withinLines(formats: readonly LinkFormat[], lines_max: number | null): readonly LinkFormat[] {
  if (lines_max === null) return formats
  const within = formats.filter((format) => (linesOf(format) ?? 0) <= lines_max)
  if (within.length > 0) return within
  const least = Math.min(...formats.map((format) => linesOf(format) ?? 0))
  return formats.filter((format) => linesOf(format) === least)
}

/** Returns the format with the highest first key; the next keys break ties. Returns null if there are no formats. */
function bestOf(formats: readonly LinkFormat[], keys: readonly Key[]): LinkFormat | null {
  const compare = (one: LinkFormat, other: LinkFormat) => {
    for (const key of keys) if (key(one) !== key(other)) return key(other) - key(one)
    return 0
  }
  return formats.toSorted(compare)[0] ?? null
}
