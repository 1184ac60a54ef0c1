import { z } from 'zod'
import { playedAudio } from '../../../shared/ffmpeg/played-audio.ts'
import type { MediaProbe, Transcript } from '../../../shared/planning/facts.ts'
import { Language, Quality, Task } from '../../../shared/speech/languages.ts'
import type { Run } from '../../runtime/run.ts'
import { extractSpeech } from '../../speech/audio.ts'
import { listen } from '../../speech/engine.ts'

/** The parameters by which operations say how to listen. */
const Wishes = z.object({ language: Language, quality: Quality, task: Task })

/** What part of it all is to take the sound out of the video: far faster than to listen to it. */
const EXTRACTING = 0.05

/** What is said on the first sound track; nothing where there is none. */
export async function hearTranscript(
  probe: Pick<MediaProbe, 'audio' | 'duration_seconds'>,
  params: Record<string, unknown>,
  run: Run,
  tellDone: (share: number) => void,
): Promise<Transcript> {
  const wishes = Wishes.parse(params)
  const [track] = playedAudio(probe.audio)
  if (track === undefined) return { language: 'und', words: [] }
  const { duration_seconds } = probe
  const path = await extractSpeech(track, run, (seconds) =>
    tellDone(EXTRACTING * Math.min(1, seconds / duration_seconds)),
  )
  return listen({ path, duration_seconds, ...wishes }, run, (share) =>
    tellDone(EXTRACTING + (1 - EXTRACTING) * share),
  )
}
