import { z } from 'zod'
import { planTranscript, refuseWithoutSpeech } from '../../captions/transcript.ts'
import { TranscriptFormat } from '../../captions/write.ts'
import { LinkUrl } from '../../links/parameters.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { TranscriptBody } from '../../planning/result-body.ts'
import { Language, Quality, Task } from '../../speech/languages.ts'

/** Transcribes the speech of a link (Contract: Link operations). */
export const link_transcribe = defineOperation({
  service: 'video',
  key: 'link_transcribe',
  title: 'Transcribe link',
  description: 'Transcribes the video of a link as text, as subtitles, or as JSON with word timestamps.',
  credits: 5,
  accepts: ['link'],
  family: null,
  facts: ['link', 'transcript'],
  parameters: z.object({
    url: LinkUrl,
    language: Language,
    transcript_format: TranscriptFormat,
    task: Task,
    quality: Quality,
  }),
  presets: [],
  result_body: TranscriptBody,
  enabled_by_default: false,
  link() {
    return { media: 'audio', lines_max: null, audio_codec: null, comments_max: 0, processes: true }
  },
  plan({ params, facts: { link, transcript } }) {
    const { info, media } = link
    if (media === null)
      return refuse('url', {
        en: 'the link has no audio to transcribe',
        uk: 'за посиланням немає звуку для розшифрування',
        ru: 'по ссылке нет звука для расшифровки',
      })
    const refusal = refuseWithoutSpeech(media.audio, transcript)
    if (refusal !== null) return refusal
    const speech = { transcript, duration_seconds: media.duration_seconds }
    return { ...planTranscript(speech, params.transcript_format), input_name: info.title ?? 'transcript' }
  },
})
