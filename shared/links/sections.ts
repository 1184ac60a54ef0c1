import { type Cell, writeCsv } from './csv.ts'
import type { LinkComment, LinkInfo } from './info.ts'

export const SECTIONS = [
  'info',
  'stats',
  'analytics',
  'chapters',
  'subtitles',
  'thumbnails',
  'formats',
  'comments',
] as const
export type Section = (typeof SECTIONS)[number]

const MS_PER_DAY = 24 * 60 * 60 * 1000

/** Returns every section that `link_info` can include, keyed by section name. */
export function describeLink(info: LinkInfo, fetched_at: string) {
  return {
    info: describeInfo(info),
    stats: countStats(info),
    analytics: computeAnalytics(info, fetched_at),
    chapters: info.chapters.map(({ start_time, end_time, title }) => ({
      title,
      start_seconds: start_time,
      end_seconds: end_time,
    })),
    subtitles: [...captionsOf(info.subtitles, false), ...captionsOf(info.automatic_captions, true)],
    thumbnails: info.thumbnails,
    formats: info.formats.map(describeFormat),
    comments: info.comments.map(describeComment),
  } satisfies Record<Section, unknown>
}

export function describeInfo(info: LinkInfo) {
  return {
    id: info.id,
    title: info.title,
    description: info.description,
    url: info.webpage_url,
    site: info.extractor_key,
    uploader: info.uploader,
    uploader_url: info.uploader_url,
    channel: info.channel,
    channel_url: info.channel_url,
    duration_seconds: info.duration,
    published_at: publishedAt(info),
    language: info.language,
    age_limit: info.age_limit,
    availability: info.availability,
    was_live: info.was_live ?? null,
    categories: info.categories,
    tags: info.tags,
  }
}

function countStats(info: LinkInfo) {
  return {
    views: info.view_count,
    likes: info.like_count,
    dislikes: info.dislike_count,
    comments: info.comment_count,
    reposts: info.repost_count,
    average_rating: info.average_rating,
    channel_followers: info.channel_follower_count,
  }
}

/** Computes ratios of the counts. A ratio is null if the site does not report the counts it needs. */
function computeAnalytics(info: LinkInfo, fetched_at: string) {
  const { view_count: views, like_count: likes, comment_count: comments } = info
  const published = publishedAt(info)
  const days =
    published === null ? null : Math.max(0, (Date.parse(fetched_at) - Date.parse(published)) / MS_PER_DAY)
  const reactions = likes === null && comments === null ? null : (likes ?? 0) + (comments ?? 0)
  return {
    age_days: days === null ? null : Math.floor(days),
    views_per_day: ratio(views, days === null ? null : Math.max(1, days)),
    likes_per_1000_views: ratio(likes, views, 1000),
    comments_per_1000_views: ratio(comments, views, 1000),
    engagement_percent: ratio(reactions, views, 100),
    views_per_follower: ratio(views, info.channel_follower_count),
  }
}

function ratio(above: number | null, below: number | null, factor = 1): number | null {
  return above === null || below === null || below <= 0 ? null : Number(((above / below) * factor).toFixed(3))
}

/** Returns the publication time, or only the date if the site does not report the time. */
function publishedAt({ timestamp, upload_date }: LinkInfo): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(upload_date ?? '') ?? []
  return isoOf(timestamp) ?? isoOf(year === undefined ? null : Date.parse(`${year}-${month}-${day}`) / 1000)
}

function isoOf(seconds: number | null): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

function captionsOf(languages: LinkInfo['subtitles'], automatic: boolean) {
  return Object.entries(languages).map(([language, files]) => ({
    language,
    name: files[0]?.name ?? null,
    automatic,
    formats: [...new Set(files.flatMap(({ ext }) => ext ?? []))],
  }))
}

function describeFormat(format: LinkInfo['formats'][number]) {
  const codec = (name: string | null) => (name === 'none' ? null : name)
  return {
    id: format.format_id,
    extension: format.ext,
    width: format.width,
    height: format.height,
    frames_per_second: format.fps,
    video_codec: codec(format.vcodec),
    audio_codec: codec(format.acodec),
    bitrate_kbps: format.tbr,
    size_bytes: format.filesize ?? format.filesize_approx,
    language: format.language,
    note: format.format_note,
  }
}

function describeComment(comment: LinkComment) {
  return {
    id: comment.id,
    reply_to: comment.parent === 'root' ? null : comment.parent,
    author: comment.author,
    author_id: comment.author_id,
    is_uploader: comment.author_is_uploader ?? null,
    is_pinned: comment.is_pinned ?? null,
    likes: comment.like_count,
    published_at: isoOf(comment.timestamp),
    text: comment.text,
  }
}

/** Writes one CSV row per comment, or one row of statistics if comments are not requested. */
export function describeAsCsv(info: LinkInfo, with_comments: boolean): string {
  if (with_comments) {
    const rows = info.comments.map(describeComment)
    return writeRecords(COMMENT_COLUMNS, rows)
  }
  const row = { url: info.webpage_url, title: info.title, ...countStats(info) }
  return writeRecords(Object.keys(row), [row])
}

/** The columns also form the header of an empty table. */
const COMMENT_COLUMNS = [
  ...['id', 'reply_to', 'author', 'author_id', 'is_uploader'],
  ...['is_pinned', 'likes', 'published_at', 'text'],
]

function writeRecords(columns: readonly string[], records: readonly Record<string, Cell>[]): string {
  return writeCsv(
    columns,
    records.map((record) => columns.map((column) => record[column])),
  )
}
