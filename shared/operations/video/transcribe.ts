import { z } from 'zod'
import { planTranscript, refuseWithoutSpeech } from '../../captions/transcript.ts'
import { TranscriptFormat } from '../../captions/write.ts'
import { defineOperation } from '../../planning/operation.ts'
import { TranscriptBody } from '../../planning/result-body.ts'
import { Language, Quality, Task } from '../../speech/languages.ts'

/** Transcribes the speech in a video (Contract: Video operations). */
export const transcribe = defineOperation({
  service: 'video',
  key: 'transcribe',
  title: 'Transcribe video',
  description: 'Transcribes speech as text, as subtitles, or as JSON with word timestamps.',
  credits: 5,
  accepts: ['video'],
  family: null,
  facts: ['probe', 'transcript'],
  parameters: z.object({
    format: TranscriptFormat,
    language: Language,
    task: Task,
    quality: Quality,
  }),
  presets: [
    { label: 'Text', params: { format: 'txt' } },
    { label: 'Subtitles (SRT)', params: { format: 'srt' } },
    { label: 'Web subtitles (VTT)', params: { format: 'vtt' } },
    { label: 'Word timestamps (JSON)', params: { format: 'json' } },
  ],
  result_body: TranscriptBody,
  plan({ params, facts: { probe, transcript } }) {
    const refusal = refuseWithoutSpeech(probe.audio, transcript)
    return refusal ?? planTranscript({ transcript, duration_seconds: probe.duration_seconds }, params.format)
  },
})
