import { z } from 'zod'

/** Limits on the stored part of a site's response, so no page decides how large a result becomes. */
export const LINK_LIMITS = {
  title_characters: 500,
  description_characters: 5000,
  comment_characters: 10_000,
  entries: 500,
  formats: 200,
  comments: 500,
} as const

const text = (most: number) =>
  z
    .string()
    .transform((value) => value.slice(0, most).toWellFormed())
    .nullish()
    .transform((value) => value ?? null)
    .catch(null)
const Short = text(LINK_LIMITS.title_characters)
const Amount = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)
const Flag = z.boolean().nullish().catch(null)
const listOf = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((values) => {
      const read = (values ?? []).slice(0, most * 4).map((value) => entry.safeParse(value))
      return read.flatMap((result) => (result.success ? [result.data] : [])).slice(0, most)
    })

const Chapter = z.object({ start_time: z.number(), end_time: Amount, title: Short })
const Thumbnail = z.object({ url: z.url({ protocol: /^https?$/ }).max(2048), width: Amount, height: Amount })
const Comment = z.object({
  id: Short,
  parent: Short,
  text: text(LINK_LIMITS.comment_characters),
  author: Short,
  author_id: Short,
  author_is_uploader: Flag,
  is_pinned: Flag,
  like_count: Amount,
  timestamp: Amount,
})
export const LinkFormat = z.object({
  format_id: z.string().max(200),
  ext: Short,
  protocol: Short,
  url: z.string().catch(''),
  width: Amount,
  height: Amount,
  fps: Amount,
  /** "none" if there is no such track; null if the site does not report the codec. */
  vcodec: Short,
  acodec: Short,
  dynamic_range: Short,
  tbr: Amount,
  abr: Amount,
  filesize: Amount,
  filesize_approx: Amount,
  language: Short,
  language_preference: Amount,
  format_note: Short,
  has_drm: z
    .unknown()
    .optional()
    .transform((value) => value === true),
})
const Caption = z.object({ ext: Short, name: Short })
const Captions = z
  .record(z.string().max(50), listOf(Caption, 20))
  .nullish()
  .catch(null)
  .transform((languages) => Object.fromEntries(Object.entries(languages ?? {}).slice(0, LINK_LIMITS.entries)))

/** The fields of a yt-dlp response that are used. Fields with invalid values become null. */
export const LinkInfo = z.object({
  id: Short,
  title: Short,
  description: text(LINK_LIMITS.description_characters),
  webpage_url: text(2048),
  extractor_key: Short,
  uploader: Short,
  uploader_url: text(2048),
  channel: Short,
  channel_url: text(2048),
  channel_follower_count: Amount,
  duration: Amount,
  /** YYYYMMDD */
  upload_date: Short,
  timestamp: Amount,
  language: Short,
  age_limit: Amount,
  availability: Short,
  live_status: Short,
  is_live: Flag,
  was_live: Flag,
  categories: listOf(z.string().max(200), 50),
  tags: listOf(z.string().max(200), 200),
  view_count: Amount,
  like_count: Amount,
  dislike_count: Amount,
  comment_count: Amount,
  repost_count: Amount,
  average_rating: Amount,
  chapters: listOf(Chapter, LINK_LIMITS.entries),
  thumbnails: listOf(Thumbnail, 100),
  subtitles: Captions,
  automatic_captions: Captions,
  formats: listOf(LinkFormat, LINK_LIMITS.formats),
  comments: listOf(Comment, LINK_LIMITS.comments),
})
export type LinkInfo = z.output<typeof LinkInfo>
export type LinkFormat = z.output<typeof LinkFormat>
export type LinkComment = LinkInfo['comments'][number]

const LIVE = ['is_live', 'is_upcoming', 'post_live']

/**
 * Returns the name of a failure unless the link leads to exactly one recorded video. Contract: Link operations, Link
 * content.
 * @param answer the response from yt-dlp
 */
export function refuseLink(answer: { _type?: unknown }, info: Pick<LinkInfo, 'live_status' | 'is_live'>) {
  if (answer._type !== undefined && answer._type !== 'video') return 'link_to_list'
  if (info.is_live === true || LIVE.includes(info.live_status ?? '')) return 'link_to_live'
  return null
}

/**
 * Parses a yt-dlp response for one video. If the page has a single file, the response itself describes its format.
 * Never throws: invalid fields become null.
 */
export function readLinkInfo(answer: Record<string, unknown>): LinkInfo {
  return withoutNumber(LinkInfo.parse({ ...answer, formats: formatsOf(answer) }))
}

/** Removes the number that yt-dlp appends to the title of a page's only embedded video. */
function withoutNumber(info: LinkInfo): LinkInfo {
  const { extractor_key, id, title } = info
  const is_numbered = extractor_key === 'HTML5MediaEmbed' && id?.endsWith('-1') && title?.endsWith(' (1)')
  return is_numbered ? { ...info, title: title?.slice(0, -' (1)'.length) ?? null } : info
}

/**
 * Returns the formats of a yt-dlp response, unmodified, because yt-dlp needs all of their fields for the download.
 */
export function formatsOf(answer: Record<string, unknown>): unknown[] {
  return Array.isArray(answer.formats) ? answer.formats : [answer]
}
