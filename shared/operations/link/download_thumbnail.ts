import { z } from 'zod'
import { LinkUrl } from '../../links/parameters.ts'
import { LINK_SECTIONS } from '../../links/section-schemas.ts'
import { describeInfo } from '../../links/sections.ts'
import { defineOperation } from '../../planning/operation.ts'
import { ImageBody } from '../../planning/result-body.ts'
import { SOURCE } from '../../planning/steps.ts'

const QUALITY = { jpg: 90, webp: 88, png: null } as const

/** Downloads the thumbnail of a link (Contract: Link operations). */
export const download_thumbnail = defineOperation({
  service: 'video',
  key: 'download_thumbnail',
  title: 'Download thumbnail',
  description: 'Downloads the largest thumbnail that the site provides for a video.',
  credits: 1,
  accepts: ['link'],
  family: null,
  facts: ['link', 'image'],
  parameters: z.object({
    url: LinkUrl,
    thumbnail_format: z.enum(['jpg', 'png', 'webp']).default('jpg').describe('Output format'),
  }),
  presets: [],
  result_body: ImageBody.extend({ info: LINK_SECTIONS.info }),
  enabled_by_default: false,
  link() {
    return { media: 'thumbnail', lines_max: null, audio_codec: null, comments_max: 0, processes: false }
  },
  plan({ params: { thumbnail_format }, facts: { link } }) {
    const file = `thumbnail.${thumbnail_format}`
    const format = thumbnail_format === 'jpg' ? 'jpeg' : thumbnail_format
    const quality = QUALITY[thumbnail_format]
    return {
      encode_mode: null,
      steps: [
        { kind: 'image', input: SOURCE, actions: [], output: { file, format, quality, max_bytes: null } },
      ],
      outputs: [{ file }],
      body: { info: describeInfo(link.info) },
      input_name: link.info.title ?? 'thumbnail',
    }
  },
})
