import { z } from 'zod'
import { LINK_LIMITS } from '../../links/info.ts'
import { LinkUrl } from '../../links/parameters.ts'
import { LINK_SECTIONS } from '../../links/section-schemas.ts'
import { describeAsCsv, describeLink, SECTIONS, type Section } from '../../links/sections.ts'
import { defineOperation } from '../../planning/operation.ts'
import { VideoBody } from '../../planning/result-body.ts'

/**
 * Returns the metadata that a site publishes about a video (Contract: Link operations; Encoding, No encoder).
 */
export const link_info = defineOperation({
  service: 'video',
  key: 'link_info',
  title: 'Link info',
  description:
    'Returns what a site publishes about a video: title, statistics, chapters, subtitles, formats, comments.',
  credits: 2,
  accepts: ['link'],
  family: null,
  facts: ['link'],
  parameters: z.object({
    url: LinkUrl,
    include: z
      .array(z.enum(SECTIONS))
      .min(1)
      .max(SECTIONS.length)
      .default(['info', 'stats'])
      .describe(`Sections to return: ${SECTIONS.join(', ')}`),
    comment_limit: z
      .int()
      .min(1)
      .max(LINK_LIMITS.comments)
      .default(100)
      .describe('Maximum number of comments, if include contains comments'),
    format: z
      .enum(['json', 'csv'])
      .default('json')
      .describe(
        'Output format: json, or csv with a table of the comments (of the statistics if comments are not included)',
      ),
  }),
  presets: [],
  result_body: z.strictObject({
    ...z.object(LINK_SECTIONS).partial().shape,
    comments_count: z
      .int()
      .min(0)
      .optional()
      .describe('Number of comments in the file, if requested')
      .meta({ examples: [100] }),
    format: VideoBody.shape.format,
  }),
  result_hours_max: 24,
  link({ include, comment_limit }) {
    const comments_max = include.includes('comments') ? comment_limit : 0
    return { media: null, lines_max: null, audio_codec: null, comments_max, processes: false }
  },
  plan({ params, facts: { link } }) {
    const { include, comment_limit, format } = params
    const with_comments = include.includes('comments')
    const info = { ...link.info, comments: link.info.comments.slice(0, comment_limit) }
    const described = describeLink(info, link.fetched_at)
    const requested = SECTIONS.filter((section) => include.includes(section))
    const select = (sections: readonly Section[]) =>
      Object.fromEntries(sections.map((section) => [section, described[section]]))
    const content =
      format === 'csv'
        ? describeAsCsv(info, with_comments)
        : `${JSON.stringify({ fetched_at: link.fetched_at, ...select(requested) }, null, 2)}\n`
    const file = `link.${format}`
    // Comments are stored only in the file, which expires early (Contract: Link operations).
    const body = select(requested.filter((section) => section !== 'comments'))
    return {
      encode_mode: null,
      steps: [{ kind: 'text', file, content }],
      outputs: [{ file }],
      body: with_comments ? { ...body, comments_count: info.comments.length } : body,
      input_name: link.info.title ?? 'link',
    }
  },
})
