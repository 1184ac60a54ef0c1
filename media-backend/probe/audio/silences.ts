import { playedAudio } from '../../../shared/ffmpeg/played-audio.ts'
import type { MediaProbe, TimeRange } from '../../../shared/planning/facts.ts'
import { findSilences } from '../../../shared/speech/silences.ts'
import type { Run } from '../../runtime/run.ts'
import { extractSpeech } from '../../speech/audio.ts'
import { measureLevels } from '../../speech/levels.ts'

/** Finds the silences in the played audio track. Returns an empty list if there is no audio. */
export async function findTrackSilences(probe: Pick<MediaProbe, 'audio'>, run: Run): Promise<TimeRange[]> {
  const [track] = playedAudio(probe.audio)
  if (track === undefined) return []
  return findSilences(await measureLevels(await extractSpeech(track, run), run.signal))
}
