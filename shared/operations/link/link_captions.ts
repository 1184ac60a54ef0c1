import { z } from 'zod'
import { CAPTION_POSITIONS, CAPTION_STYLES } from '../../captions/caption-script.ts'
import { burnCaptions, captionCues } from '../../captions/captions.ts'
import { refuseWithoutSpeech, transcriptBody } from '../../captions/transcript.ts'
import { planVideoEdits } from '../../ffmpeg/render.ts'
import { LinkUrl } from '../../links/parameters.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { CaptionedVideoBody } from '../../planning/result-body.ts'
import { Language, Quality, Task } from '../../speech/languages.ts'

/** Resolution cap for encoded videos (Contract: Video operations, Encoding). */
const LINES_MAX = 1080

/** Downloads the video of a link and burns in captions of its speech (Contract: Link operations). */
export const link_captions = defineOperation({
  service: 'video',
  key: 'link_captions',
  title: 'Caption link',
  description: 'Downloads the video of a link, transcribes it and burns in captions in one of four styles.',
  credits: 6,
  accepts: ['link'],
  family: null,
  facts: ['link', 'transcript'],
  parameters: z.object({
    url: LinkUrl,
    language: Language,
    style: z.enum(CAPTION_STYLES).default('clean').describe('Style of the captions'),
    position: z.enum(CAPTION_POSITIONS).default('bottom').describe('Position of the captions'),
    task: Task,
    quality: Quality,
  }),
  presets: [],
  result_body: CaptionedVideoBody,
  enabled_by_default: false,
  link() {
    return { media: 'video', lines_max: LINES_MAX, audio_codec: null, comments_max: 0, processes: true }
  },
  plan({ params, facts: { link, transcript } }) {
    const { info, media } = link
    if (media === null || media.video === null) {
      return refuse('url', {
        en: 'the link has audio only, no video. Use link_transcribe',
        uk: 'за посиланням є лише звук, без відео. Використайте link_transcribe',
        ru: 'по ссылке есть только звук, без видео. Используйте link_transcribe',
      })
    }
    const refusal = refuseWithoutSpeech(media.audio, transcript)
    if (refusal !== null) return refusal
    const probe = { ...media, video: media.video }
    const look = { style: params.style, position: params.position, uppercase: false }
    const speech = { transcript, duration_seconds: media.duration_seconds }
    const cues = captionCues(speech, probe, look)
    const plan = planVideoEdits([burnCaptions(probe, cues, look)], probe, { stem: 'captioned' })
    const body = { ...plan.body, ...transcriptBody(speech), subtitles: cues.length }
    return { ...plan, body, input_name: info.title ?? 'video' }
  },
})
