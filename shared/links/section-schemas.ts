import { z } from 'zod'
import type { describeLink, Section } from './sections.ts'

const text = (description: string, example: string | null = null) =>
  z
    .string()
    .nullable()
    .describe(description)
    .meta({ examples: [example] })
const amount = (description: string, example: number | null = null) =>
  z
    .number()
    .nullable()
    .describe(description)
    .meta({ examples: [example] })

/** Data that a site reports about a video. Values that the site does not report are null. */
export const LinkInfoSection = z.strictObject({
  id: text('Id of the video on its site', 'dQw4w9WgXcQ'),
  title: text('Title', 'A walk through the harbor'),
  description: text('Description, up to 5,000 characters', 'Filmed in May.'),
  url: text('URL of the page of the video', 'https://example.org/watch?v=1'),
  site: text('Name of the site', 'Example'),
  uploader: text('Name of the person or account that uploaded the video', 'Ada'),
  uploader_url: text('URL of the page of the uploader', 'https://example.org/@ada'),
  channel: text('Name of the channel', 'Walks'),
  channel_url: text('URL of the page of the channel', 'https://example.org/c/walks'),
  duration_seconds: amount('Duration in seconds', 754),
  published_at: text(
    'Time of publication (ISO 8601); midnight if the site reports only the date',
    '2026-05-01T00:00:00.000Z',
  ),
  language: text('Language of the video', 'en'),
  age_limit: amount('Minimum age of viewers in years', 0),
  availability: text('Who may watch the video, such as `public` or `unlisted`', 'public'),
  was_live: z
    .boolean()
    .nullable()
    .describe('True for the recording of a live stream')
    .meta({ examples: [false] }),
  categories: z
    .array(z.string())
    .describe('Categories')
    .meta({ examples: [['Travel']] }),
  tags: z
    .array(z.string())
    .describe('Tags')
    .meta({ examples: [['harbor', 'walk']] }),
})

/** The fields of `link_info`'s result, by section. Comments are stored only in the file. */
export const LINK_SECTIONS = {
  info: LinkInfoSection.describe('What the site states about the video; null where it states nothing'),
  stats: z
    .strictObject({
      views: amount('Number of views', 18_200),
      likes: amount('Number of likes', 910),
      dislikes: amount('Number of dislikes'),
      comments: amount('Number of comments', 64),
      reposts: amount('Number of reposts'),
      average_rating: amount('Average rating, on the scale of the site'),
      channel_followers: amount('Number of followers of the channel', 5300),
    })
    .describe('Counts that the site reports; null where it reports none'),
  analytics: z
    .strictObject({
      age_days: amount('Age of the video in whole days', 203),
      views_per_day: amount('Views per day since publication', 89.655),
      likes_per_1000_views: amount('Likes per 1,000 views', 50),
      comments_per_1000_views: amount('Comments per 1,000 views', 3.516),
      engagement_percent: amount('Likes and comments in percent of the views', 5.352),
      views_per_follower: amount('Views per follower of the channel', 3.434),
    })
    .describe('Ratios of the counts; null where the site does not report the counts'),
  chapters: z
    .array(
      z.strictObject({
        title: text('Title of the chapter', 'The lighthouse'),
        start_seconds: z
          .number()
          .describe('Start in seconds')
          .meta({ examples: [0] }),
        end_seconds: amount('End in seconds', 312),
      }),
    )
    .describe('Chapters in order'),
  subtitles: z
    .array(
      z.strictObject({
        language: z
          .string()
          .describe('Language code of the site')
          .meta({ examples: ['en'] }),
        name: text('Name of the subtitles', 'English'),
        automatic: z
          .boolean()
          .describe('True if a machine wrote the subtitles')
          .meta({ examples: [false] }),
        formats: z
          .array(z.string())
          .describe('File formats that the site provides, such as `vtt`')
          .meta({ examples: [['vtt']] }),
      }),
    )
    .describe('Subtitles that the site provides'),
  thumbnails: z
    .array(
      z.strictObject({
        url: z
          .url()
          .describe('URL of the image')
          .meta({ examples: ['https://example.org/image.jpg'] }),
        width: amount('Width in pixels', 1280),
        height: amount('Height in pixels', 720),
      }),
    )
    .describe('Thumbnails that the site provides'),
  formats: z
    .array(
      z.strictObject({
        id: z
          .string()
          .describe('Id of the format on the site')
          .meta({ examples: ['22'] }),
        extension: text('File extension', 'mp4'),
        width: amount('Width in pixels', 1280),
        height: amount('Height in pixels', 720),
        frames_per_second: amount('Frames per second', 25),
        video_codec: text('Video codec; null if there is no video, or if it is unknown', 'avc1.64001f'),
        audio_codec: text('Audio codec; null if there is no audio, or if it is unknown', 'mp4a.40.2'),
        bitrate_kbps: amount('Bitrate in kbit/s', 1840),
        size_bytes: amount('File size in bytes, possibly an estimate', 172_000_000),
        language: text('Language of the audio', 'en'),
        note: text('Note of the site about the format', '720p'),
      }),
    )
    .describe('Formats in which the site provides the video'),
} satisfies { [Name in Exclude<Section, 'comments'>]: z.ZodType<ReturnType<typeof describeLink>[Name]> }
