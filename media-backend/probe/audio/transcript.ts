import { z } from 'zod'
import { playedAudio } from '../../../shared/ffmpeg/played-audio.ts'
import type { MediaProbe, Transcript } from '../../../shared/planning/facts.ts'
import { Language, Quality, Task } from '../../../shared/speech/languages.ts'
import type { Run } from '../../runtime/run.ts'
import { extractSpeech } from '../../speech/audio.ts'
import { transcribe } from '../../speech/engine.ts'

/** Parameters shared by the operations that transcribe. */
const TranscriptParams = z.object({ language: Language, quality: Quality, task: Task })

/** Share of the progress for audio extraction, which is much faster than transcription. */
const EXTRACTING = 0.05

/** Transcribes the played audio track. Returns an empty transcript if there is none. */
export async function readTranscript(
  probe: Pick<MediaProbe, 'audio' | 'duration_seconds'>,
  params: Record<string, unknown>,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Transcript> {
  const options = TranscriptParams.parse(params)
  const [track] = playedAudio(probe.audio)
  if (track === undefined) return { language: 'und', words: [] }
  const { duration_seconds } = probe
  const path = await extractSpeech(track, run, (seconds) =>
    reportProgress(EXTRACTING * Math.min(1, seconds / duration_seconds)),
  )
  return transcribe({ path, duration_seconds, ...options }, run, (fraction) =>
    reportProgress(EXTRACTING + (1 - EXTRACTING) * fraction),
  )
}
