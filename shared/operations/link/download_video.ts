import { z } from 'zod'
import { Duration, LinkUrl, linesOf, QUALITIES, Start } from '../../links/parameters.ts'
import { LINK_SECTIONS } from '../../links/section-schemas.ts'
import { describeInfo } from '../../links/sections.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { VideoBody } from '../../planning/result-body.ts'
import { trim } from '../video/trim.ts'

/** Downloads the video of a link (Contract: Link operations; Encoding, No encoder). */
export const download_video = defineOperation({
  service: 'video',
  key: 'download_video',
  title: 'Download video',
  description:
    'Downloads the video of a link in the format that the site provides. A clip is cut at the nearest keyframe.',
  credits: 2,
  accepts: ['link'],
  family: null,
  facts: ['link', 'lead_seconds'],
  parameters: z.object({
    url: LinkUrl,
    quality: z.enum(QUALITIES).default('best').describe('Highest resolution to download'),
    start: Start,
    duration: Duration,
  }),
  presets: [],
  result_body: VideoBody.extend({ info: LINK_SECTIONS.info }),
  enabled_by_default: false,
  link({ quality }) {
    const lines_max = linesOf(quality)
    return { media: 'video', lines_max, audio_codec: null, comments_max: 0, processes: false }
  },
  unneededFacts({ start }) {
    return start === 0 ? ['lead_seconds'] : []
  },
  plan({ params: { start, duration }, facts: { link, lead_seconds } }) {
    const { info, media } = link
    if (media === null || media.video === null) {
      return refuse('url', {
        en: 'the link has audio only, no video. Use download_audio',
        uk: 'за посиланням є лише звук, без відео. Використайте download_audio',
        ru: 'по ссылке есть только звук, без видео. Используйте download_audio',
      })
    }
    const probe = { ...media, video: media.video }
    const part = { start, precise: false, ...(duration === undefined ? {} : { duration }) }
    const plan = trim.plan({ params: part, facts: { probe, lead_seconds, cut_packets: null } })
    if ('refused' in plan) return plan
    return { ...plan, body: { info: describeInfo(info) }, input_name: info.title ?? 'video' }
  },
})
