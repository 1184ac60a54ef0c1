import type { FactName, Facts } from '../../shared/operations/facts.ts'
import { SOURCE } from '../../shared/operations/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { imageFacts } from './image.ts'
import { checkLength } from './length.ts'
import { probeVideo } from './probe.ts'
import { findTrackSilences } from './silences.ts'
import { hearTranscript } from './transcript.ts'

/**
 * Measures what the operation names and nothing else; an input over the length ceiling is refused.
 * Of what takes long, the speech, it tells how much is done, 0 to 1.
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
    if (name === 'transcript' && facts.probe !== undefined)
      facts.transcript = await hearTranscript(facts.probe, dispatch.params, run, tellDone)
    if (name === 'silences' && facts.probe !== undefined)
      facts.silences = await findTrackSilences(facts.probe, run)
  }
  // An operation reads only the facts it named, which defineOperation checks.
  return facts as Facts
}
