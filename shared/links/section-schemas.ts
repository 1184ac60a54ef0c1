import { z } from 'zod'
import type { describeLink, Section } from './sections.ts'

const text = (description: string) => z.string().nullable().describe(description)
const amount = (description: string) => z.number().nullable().describe(description)

/** What a site states about a video. Values are null if the site does not report them. */
export const LinkInfoSection = z.strictObject({
  id: text('Id of the video on its site'),
  title: text('Title'),
  description: text('Description, up to 5,000 characters'),
  url: text('URL of the page of the video'),
  site: text('Name of the site'),
  uploader: text('Name of the person or account that uploaded the video'),
  uploader_url: text('URL of the page of the uploader'),
  channel: text('Name of the channel'),
  channel_url: text('URL of the page of the channel'),
  duration_seconds: amount('Duration in seconds'),
  published_at: text('Time of publication (ISO 8601); midnight if the site reports only the date'),
  language: text('Language of the video'),
  age_limit: amount('Minimum age of viewers in years'),
  availability: text('Who may watch the video, such as `public` or `unlisted`'),
  was_live: z.boolean().nullable().describe('True for the recording of a live stream'),
  categories: z.array(z.string()).describe('Categories'),
  tags: z.array(z.string()).describe('Tags'),
})

/** The fields of `link_info`'s result, by section. Comments are stored only in the file. */
export const LINK_SECTIONS = {
  info: LinkInfoSection.describe('What the site states about the video; null where it states nothing'),
  stats: z
    .strictObject({
      views: amount('Number of views'),
      likes: amount('Number of likes'),
      dislikes: amount('Number of dislikes'),
      comments: amount('Number of comments'),
      reposts: amount('Number of reposts'),
      average_rating: amount('Average rating, on the scale of the site'),
      channel_followers: amount('Number of followers of the channel'),
    })
    .describe('Counts that the site reports; null where it reports none'),
  analytics: z
    .strictObject({
      age_days: amount('Age of the video in whole days'),
      views_per_day: amount('Views per day since publication'),
      likes_per_1000_views: amount('Likes per 1,000 views'),
      comments_per_1000_views: amount('Comments per 1,000 views'),
      engagement_percent: amount('Likes and comments in percent of the views'),
      views_per_follower: amount('Views per follower of the channel'),
    })
    .describe('Ratios of the counts; null where the site does not report the counts'),
  chapters: z
    .array(
      z.strictObject({
        title: text('Title of the chapter'),
        start_seconds: z.number().describe('Start in seconds'),
        end_seconds: amount('End in seconds'),
      }),
    )
    .describe('Chapters in order'),
  subtitles: z
    .array(
      z.strictObject({
        language: z.string().describe('Language code of the site'),
        name: text('Name of the subtitles'),
        automatic: z.boolean().describe('True if a machine wrote the subtitles'),
        formats: z.array(z.string()).describe('File formats that the site provides, such as `vtt`'),
      }),
    )
    .describe('Subtitles that the site provides'),
  thumbnails: z
    .array(
      z.strictObject({
        url: z.url().describe('URL of the image'),
        width: amount('Width in pixels'),
        height: amount('Height in pixels'),
      }),
    )
    .describe('Thumbnails that the site provides'),
  formats: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the format on the site'),
        extension: text('File extension'),
        width: amount('Width in pixels'),
        height: amount('Height in pixels'),
        frames_per_second: amount('Frames per second'),
        video_codec: text('Video codec; null if there is no video, or if it is unknown'),
        audio_codec: text('Audio codec; null if there is no audio, or if it is unknown'),
        bitrate_kbps: amount('Bitrate in kbit/s'),
        size_bytes: amount('File size in bytes, possibly an estimate'),
        language: text('Language of the audio'),
        note: text('Note of the site about the format'),
      }),
    )
    .describe('Formats in which the site provides the video'),
} satisfies { [Name in Exclude<Section, 'comments'>]: z.ZodType<ReturnType<typeof describeLink>[Name]> }
