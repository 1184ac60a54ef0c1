import { z } from 'zod'
import { CAPTION_POSITIONS, CAPTION_STYLES } from '../../captions/caption-script.ts'
import { burnCaptions, CAPTION_PRESETS, captionCues, fitCues } from '../../captions/captions.ts'
import type { Cue } from '../../captions/cues.ts'
import { planEmbed } from '../../captions/embed.ts'
import { readSubtitles, SUBTITLE_LIMITS } from '../../captions/read.ts'
import { refuseWithoutSpeech, transcriptBody, transcriptCues } from '../../captions/transcript.ts'
import { Color } from '../../ffmpeg/color.ts'
import type { VideoEdit } from '../../ffmpeg/edit.ts'
import { planVideoEdits } from '../../ffmpeg/render.ts'
import type { Facts } from '../../planning/facts.ts'
import { defineOperation, type Plan, type PlanRefusal, refuse } from '../../planning/operation.ts'
import { SubtitledVideoBody } from '../../planning/result-body.ts'
import { WebAddress } from '../../planning/web-address.ts'
import { Language, Quality, Task } from '../../speech/languages.ts'
import { fillTexts, fromFacts, packTexts } from '../../text/texts.ts'

const FILE = 'subtitles_url'
/** A dispatch message is limited to 128 KB; longer subtitles are passed as a URL. */
const TEXT_CHARACTERS_MAX = 30_000

const Parameters = z
  .object({
    mode: z
      .enum(['burn', 'embed'])
      .default('burn')
      .describe(
        'burn draws the subtitles into the frames; embed adds a track that viewers can turn on, without re-encoding, and must be the last operation',
      ),
    style: z.enum(CAPTION_STYLES).default('clean').describe('Style of burned subtitles'),
    position: z.enum(CAPTION_POSITIONS).default('bottom').describe('Position of burned subtitles'),
    font_size: z
      .number()
      .min(1)
      .max(20)
      .optional()
      .describe('Font size in percent of the shorter side. Default: depends on the style'),
    text_color: Color.optional().describe('Color of the text, such as #ffffff'),
    highlight_color: Color.optional().describe('Karaoke: color of the words already spoken'),
    outline_color: Color.optional().describe('Color of the text outline'),
    box_color: Color.optional().describe('Boxed: color of the box'),
    uppercase: z.boolean().default(false).describe('Shows burned subtitles in uppercase'),
    max_words: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe(
        'Maximum number of words shown at once. Default: as many as fit on two lines (karaoke on vertical videos: 4)',
      ),
    language: Language,
    task: Task,
    quality: Quality,
    subtitles_url: WebAddress.optional().describe(
      'URL of your own subtitles (SRT, WebVTT or ASS), used instead of speech recognition. If the file is not Unicode, its encoding is detected; set language to improve the detection',
    ),
    subtitles_text: z
      .string()
      .min(1)
      .max(TEXT_CHARACTERS_MAX)
      .optional()
      .describe('Your own subtitles as text (SRT, WebVTT or ASS), used instead of speech recognition'),
  })
  .refine((params) => params.subtitles_url === undefined || params.subtitles_text === undefined, {
    path: ['subtitles_text'],
    error: packTexts({
      en: 'cannot be combined with subtitles_url. Set one of them',
      uk: 'не можна поєднувати з subtitles_url. Укажіть щось одне',
      ru: 'нельзя сочетать с subtitles_url. Укажите что-то одно',
    }),
  })
  .refine(({ subtitles_text }) => subtitles_text === undefined || hasSubtitles(subtitles_text), {
    path: ['subtitles_text'],
    error: packTexts({
      en: 'contains no subtitles. Use SRT, WebVTT or ASS with timestamps such as 00:00:01,000 --> 00:00:03,500',
      uk: 'не містить субтитрів. Використайте SRT, WebVTT або ASS із позначками часу, наприклад 00:00:01,000 --> 00:00:03,500',
      ru: 'не содержит субтитров. Используйте SRT, WebVTT или ASS с метками времени, например 00:00:01,000 --> 00:00:03,500',
    }),
  })

/** Accepts text over the limits, which the plan refuses for its own reason. */
function hasSubtitles(text: string): boolean {
  return readSubtitles(text)?.length !== 0
}

type Params = z.output<typeof Parameters>
type Input = { params: Params; facts: Pick<Facts, 'probe' | 'transcript' | 'assets'> }

/**
 * Adds subtitles to a video: `embed` remuxes, and `burn` encodes at up to 1080p. Contract: Video operations,
 * Encoding.
 */
export const subtitles = defineOperation({
  service: 'video',
  key: 'subtitles',
  title: 'Subtitles',
  description:
    'Transcribes speech and burns it in as subtitles in one of four styles, or adds a subtitle track. Also accepts your own subtitles.',
  credits: 6,
  accepts: ['video'],
  family: null,
  facts: ['probe', 'transcript', 'assets'],
  parameters: Parameters,
  presets: [...CAPTION_PRESETS, { label: 'Subtitle track, without re-encoding', params: { mode: 'embed' } }],
  result_body: SubtitledVideoBody,
  assets({ subtitles_url, language }) {
    return subtitles_url === undefined ? [] : [{ name: FILE, url: subtitles_url, kind: 'text', language }]
  },
  unneededFacts(params) {
    return isOwn(params) ? ['transcript'] : []
  },
  endsPipeline({ mode }) {
    return mode === 'embed'
  },
  edit: editBurn,
  plan(input) {
    if (input.params.mode === 'embed') return planSoftSubtitles(input)
    const edit = editBurn(input)
    return 'refused' in edit ? edit : planVideoEdits([edit], input.facts.probe, { stem: 'subtitled' })
  },
})

function isOwn({ subtitles_url, subtitles_text }: Params): boolean {
  return subtitles_url !== undefined || subtitles_text !== undefined
}

function editBurn({ params, facts }: Input): VideoEdit | PlanRefusal {
  const { probe } = facts
  if (isOwn(params)) {
    const own = ownCues(params, facts)
    if ('refused' in own) return own
    const cues = fitCues(own, probe, params, params.max_words)
    return { ...burnCaptions(probe, cues, params), body: ownBody(cues, facts) }
  }
  const refusal = refuseWithoutSpeech(probe.audio, facts.transcript)
  if (refusal !== null) return refusal
  const speech = speechOf(facts)
  const cues = captionCues(speech, probe, params, params.max_words)
  return { ...burnCaptions(probe, cues, params), body: { ...transcriptBody(speech), subtitles: cues.length } }
}

function planSoftSubtitles({ params, facts }: Input): Plan | PlanRefusal {
  const { probe, transcript } = facts
  if (probe.video.lacks_display_times)
    return refuse('mode', {
      en: 'embed copies the video, but this file stores no presentation timestamps. Convert it to MP4 first',
      uk: 'embed копіює відео, але файл не містить часових позначок показу. Спершу перетворіть його на MP4',
      ru: 'embed копирует видео, но файл не содержит временных меток показа. Сначала преобразуйте его в MP4',
    })
  if (isOwn(params)) {
    const own = ownCues(params, facts)
    if ('refused' in own) return own
    return { ...planEmbed(probe, own, params.language), body: ownBody(own, facts) }
  }
  const refusal = refuseWithoutSpeech(probe.audio, transcript)
  if (refusal !== null) return refusal
  const speech = speechOf(facts)
  const cues = transcriptCues(speech, params.max_words === undefined ? {} : { words_max: params.max_words })
  const body = { ...transcriptBody(speech), subtitles: cues.length }
  return { ...planEmbed(probe, cues, transcript.language), body }
}

function speechOf({ probe, transcript }: Input['facts']) {
  return { transcript, duration_seconds: probe.duration_seconds }
}

function ownCues({ subtitles_text }: Params, { probe, assets }: Input['facts']): Cue[] | PlanRefusal {
  const field = subtitles_text === undefined ? FILE : 'subtitles_text'
  const cues = readSubtitles(subtitles_text ?? assets[FILE]?.text ?? '', probe.duration_seconds)
  if (cues === null) return refuse(field, fillTexts(TOO_LONG, SUBTITLE_LIMITS))
  if (cues.length > 0) return cues
  return refuse(field, {
    en: 'contains no subtitles within the duration of the video. Use SRT, WebVTT or ASS, and check the timestamps',
    uk: 'не містить субтитрів у межах тривалості відео. Використайте SRT, WebVTT або ASS і перевірте часові мітки',
    ru: 'не содержит субтитров в пределах длительности видео. Используйте SRT, WebVTT или ASS и проверьте временные метки',
  })
}

const TOO_LONG = fromFacts<typeof SUBTITLE_LIMITS>({
  en: ({ words_max, cue_characters_max }) =>
    `is too long. Use at most ${words_max} words in all, and ${cue_characters_max} characters in each subtitle`,
  uk: ({ words_max, cue_characters_max }) =>
    `є задовгим. Використайте щонайбільше ${words_max} слів загалом і ${cue_characters_max} символів у кожному субтитрі`,
  ru: ({ words_max, cue_characters_max }) =>
    `слишком длинный. Используйте не более ${words_max} слов всего и ${cue_characters_max} символов в каждом субтитре`,
})

function ownBody(cues: readonly Cue[], { assets }: Input['facts']): Record<string, unknown> {
  const encoding = assets[FILE]?.encoding
  return { subtitles: cues.length, ...(encoding === undefined ? {} : { encoding }) }
}
