import type { Transcript } from '../planning/facts.ts'
import { type Plan, type PlanRefusal, refuse } from '../planning/operation.ts'
import { joinWords, orderWords } from '../speech/words.ts'
import { CUE_LIMITS, type Cue, type CueLimits, cuesOf } from './cues.ts'
import { type TranscriptFormat, writeJson, writeSrt, writeText, writeVtt } from './write.ts'

/** Maximum length of the text in `result.body`. The file contains the full text. */
const BODY_CHARACTERS_MAX = 20_000

export interface Speech {
  transcript: Transcript
  duration_seconds: number
}

/** Refuses a video that has no audio track or no speech; returns null if words were recognized. */
export function refuseWithoutSpeech(audio: readonly unknown[], transcript: Transcript): PlanRefusal | null {
  if (audio.length === 0)
    return refuse(null, {
      en: 'The video has no audio track to transcribe',
      uk: 'У відео немає звукової доріжки для розшифрування',
      ru: 'В видео нет звуковой дорожки для расшифровки',
    })
  if (transcript.words.length > 0) return null
  return refuse(null, {
    en: 'No speech was found in this video',
    uk: 'У цьому відео не знайдено мовлення',
    ru: 'В этом видео не найдена речь',
  })
}

/** Splits a transcript into subtitles. */
export function transcriptCues(
  { transcript, duration_seconds }: Speech,
  limits: Partial<CueLimits> = {},
): Cue[] {
  const { language } = transcript
  return cuesOf(orderWords(transcript.words, duration_seconds), {
    ...CUE_LIMITS,
    language,
    duration_seconds,
    ...limits,
  })
}

/** Plans the transcript file of a video or a link. The transcript must contain words. */
export function planTranscript(speech: Speech, format: TranscriptFormat): Plan {
  const words = orderWords(speech.transcript.words, speech.duration_seconds)
  const cues = transcriptCues(speech)
  const content = {
    txt: () => writeText(words),
    srt: () => writeSrt(cues),
    vtt: () => writeVtt(cues),
    json: () => writeJson({ ...speech.transcript, words }, cues, speech.duration_seconds),
  }[format]()
  const file = `transcript.${format}`
  return {
    encode_mode: null,
    steps: [{ kind: 'text', file, content }],
    outputs: [{ file }],
    body: transcriptBody(speech),
  }
}

/** Returns text (shortened if long), language, words and duration_seconds for `result.body`. */
export function transcriptBody({ transcript, duration_seconds }: Speech): Record<string, unknown> {
  const text = joinWords(transcript.words)
  return {
    text: text.slice(0, BODY_CHARACTERS_MAX).toWellFormed(),
    ...(text.length > BODY_CHARACTERS_MAX ? { text_is_cut: true } : {}),
    language: transcript.language,
    words: transcript.words.length,
    duration_seconds,
  }
}
