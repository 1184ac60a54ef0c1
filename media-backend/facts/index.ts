import type { FactName, Facts } from '../../shared/operations/facts.ts'
import { SOURCE } from '../../shared/operations/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { imageFacts } from './image.ts'
import { checkLength } from './length.ts'
import { fetchLink } from './link.ts'
import { measureLoudness } from './loudness.ts'
import { probeVideo } from './probe.ts'
import { findTrackSilences } from './silences.ts'
import { hearTranscript } from './transcript.ts'

/**
 * Measures what the operation names and nothing else; an input over the length ceiling is refused.
 * Of what takes long, the link and the speech, it tells how much is done, 0 to 1.
 */
export async function gatherFacts(
  names: readonly FactName[],
  dispatch: Dispatch,
  run: Run,
  tellDone: (share: number) => void,
): Promise<Facts> {
  const path = fileIn(run.folder, SOURCE)
  const facts: Partial<Facts> = {}
  for (const name of names) {
    if (name === 'image') facts.image = await imageFacts(path, run.environment)
    if (name === 'probe') {
      facts.probe = await probeVideo(path, run)
      checkLength(facts.probe.duration_seconds, dispatch)
    }
    if (name === 'link') facts.link = await fetchLink(dispatch, run, partOf(names, 0, tellDone))
    const media = facts.link?.media ?? facts.probe
    if (name === 'transcript' && media !== undefined)
      facts.transcript = await hearTranscript(media, dispatch.params, run, partOf(names, 1, tellDone))
    if (name === 'loudness' && facts.probe !== undefined)
      facts.loudness = await measureLoudness(facts.probe, dispatch.params, run, tellDone)
    if (name === 'silences' && facts.probe !== undefined)
      facts.silences = await findTrackSilences(facts.probe, run)
  }
  // An operation reads only the facts it named, which defineOperation checks.
  return facts as Facts
}

/** Where a link is fetched and listened to, each is one half of what is told. */
function partOf(
  names: readonly FactName[],
  part: 0 | 1,
  tellDone: (share: number) => void,
): (share: number) => void {
  const is_both = names.includes('link') && names.includes('transcript')
  return is_both ? (share) => tellDone((part + share) / 2) : tellDone
}
