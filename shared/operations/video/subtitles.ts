import { z } from 'zod'
import { CAPTION_POSITIONS, CAPTION_STYLES } from '../../captions/caption-script.ts'
import { burnCaptions, CAPTION_PRESETS, captionCues, fitCues } from '../../captions/captions.ts'
import type { Cue } from '../../captions/cues.ts'
import { planEmbed } from '../../captions/embed.ts'
import { readSubtitles } from '../../captions/read.ts'
import { refuseWithoutSpeech, transcriptBody, transcriptCues } from '../../captions/transcript.ts'
import { Colour } from '../../ffmpeg/color.ts'
import type { VideoEdit } from '../../ffmpeg/edit.ts'
import { planVideoEdits } from '../../ffmpeg/render.ts'
import type { Facts } from '../../planning/facts.ts'
import { defineOperation, type Plan, type PlanRefusal, refuse } from '../../planning/operation.ts'
import { WebAddress } from '../../planning/web-address.ts'
import { Language, Quality, Task } from '../../speech/languages.ts'

const FILE = 'subtitles_url'
/** A job travels in a message of 128 KB; longer subtitles come as a file. */
const TEXT_CHARACTERS_MAX = 30_000

const Parameters = z
  .object({
    mode: z
      .enum(['burn', 'embed'])
      .default('burn')
      .describe(
        'burn draws them into the picture; embed adds a track that viewers switch on, without loss, and can only be the last operation',
      ),
    style: z.enum(CAPTION_STYLES).default('clean').describe('Look of burnt subtitles'),
    position: z.enum(CAPTION_POSITIONS).default('bottom').describe('Where burnt subtitles stand'),
    font_size: z
      .number()
      .min(1)
      .max(20)
      .optional()
      .describe(
        "Height of the letters in percent of the picture's shorter side; omitted, as the style has it",
      ),
    text_color: Colour.optional().describe('Colour of the letters, e.g. #ffffff'),
    highlight_color: Colour.optional().describe('Karaoke: colour of the words that were said'),
    outline_color: Colour.optional().describe('Colour of the edge around the letters'),
    box_color: Colour.optional().describe('Boxed: colour of the box'),
    uppercase: z.boolean().default(false).describe('Writes burnt subtitles in capitals'),
    max_words: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe('Words that are shown at once; omitted, what fits two lines (karaoke on upright videos: 4)'),
    language: Language,
    task: Task,
    quality: Quality,
    subtitles_url: WebAddress.optional().describe(
      'Address of your own subtitles (SRT or WebVTT), instead of what is heard. Where they are not in Unicode, their encoding is detected, for which language helps',
    ),
    subtitles_text: z
      .string()
      .min(1)
      .max(TEXT_CHARACTERS_MAX)
      .optional()
      .describe('Your own subtitles as text (SRT or WebVTT), instead of what is heard'),
  })
  .refine((params) => params.subtitles_url === undefined || params.subtitles_text === undefined, {
    path: ['subtitles_text'],
    error: 'cannot be given together with subtitles_url',
  })
  .refine((params) => params.subtitles_text === undefined || readSubtitles(params.subtitles_text) !== null, {
    path: ['subtitles_text'],
    error: 'holds no subtitles; it must be SRT or WebVTT, with times such as 00:00:01,000 --> 00:00:03,500',
  })

type Params = z.output<typeof Parameters>
type Input = { params: Params; facts: Pick<Facts, 'probe' | 'transcript' | 'assets'> }

/**
 * Videos, with what is said in them to read: embed is a remux, burn encodes, at most 1080p.
 * Contract: Video operations, Encoding.
 */
export const subtitles = defineOperation({
  service: 'video',
  key: 'subtitles',
  title: 'Subtitles',
  description:
    'Writes what is said into the picture in four styles, or adds subtitles to switch on; also your own.',
  credits: 6,
  accepts: ['video'],
  family: null,
  facts: ['probe', 'transcript', 'assets'],
  parameters: Parameters,
  presets: [...CAPTION_PRESETS, { label: 'To switch on and off, without loss', params: { mode: 'embed' } }],
  assets({ subtitles_url, language }) {
    return subtitles_url === undefined ? [] : [{ name: FILE, url: subtitles_url, kind: 'text', language }]
  },
  needless(params) {
    return isOwn(params) ? ['transcript'] : []
  },
  endsPipeline({ mode }) {
    return mode === 'embed'
  },
  edit: editBurn,
  plan(input) {
    if (input.params.mode === 'embed') return planSoft(input)
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
    return { ...burnCaptions(probe, cues, params), body: { subtitles: cues.length } }
  }
  const refusal = refuseWithoutSpeech(probe.audio, facts.transcript)
  if (refusal !== null) return refusal
  const heard = heardIn(facts)
  const cues = captionCues(heard, probe, params, params.max_words)
  return { ...burnCaptions(probe, cues, params), body: { ...transcriptBody(heard), subtitles: cues.length } }
}

function planSoft({ params, facts }: Input): Plan | PlanRefusal {
  const { probe, transcript } = facts
  if (probe.video.has_unknown_order)
    return refuse(
      'mode',
      'embed copies the video, but this AVI does not say in which order its frames are shown; convert it to mp4 first',
    )
  if (isOwn(params)) {
    const own = ownCues(params, facts)
    if ('refused' in own) return own
    return { ...planEmbed(probe, own, params.language), body: { subtitles: own.length } }
  }
  const refusal = refuseWithoutSpeech(probe.audio, transcript)
  if (refusal !== null) return refusal
  const heard = heardIn(facts)
  const cues = transcriptCues(heard, params.max_words === undefined ? {} : { words_max: params.max_words })
  const body = { ...transcriptBody(heard), subtitles: cues.length }
  return { ...planEmbed(probe, cues, transcript.language), body }
}

function heardIn({ probe, transcript }: Input['facts']) {
  return { transcript, duration_seconds: probe.duration_seconds }
}

function ownCues({ subtitles_text }: Params, { probe, assets }: Input['facts']): Cue[] | PlanRefusal {
  const field = subtitles_text === undefined ? FILE : 'subtitles_text'
  const cues = readSubtitles(subtitles_text ?? assets[FILE]?.text ?? '', probe.duration_seconds)
  return cues ?? refuse(field, 'holds no subtitles within the length of the video; it must be SRT or WebVTT')
}
