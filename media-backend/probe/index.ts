import type { FactName, Facts } from '../../shared/planning/facts.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../runtime/folder.ts'
import { checkLength } from '../runtime/length.ts'
import type { Run } from '../runtime/run.ts'
import { measureLoudness } from './audio/loudness.ts'
import { findTrackSilences } from './audio/silences.ts'
import { readTranscript } from './audio/transcript.ts'
import { readImageFacts } from './image/sequence.ts'
import { fetchLink } from './link.ts'
import { probeVideo } from './probe.ts'
import { measureCutPackets } from './timing/cut-packets.ts'
import { measureLead } from './timing/lead.ts'
import { measureVideoPackets } from './timing/video-packets.ts'

/**
 * Gathers only the facts that the operation names. Refuses an input that exceeds the length limit.
 * @param onLength receives the length of the input before any fact that takes long.
 */
export async function gatherFacts(
  names: readonly FactName[],
  dispatch: Dispatch,
  run: Run,
  reportProgress: (fraction: number) => void,
  onLength: (seconds: number) => void = () => {},
): Promise<Facts> {
  const facts: Partial<Facts> = {}
  for (const name of names) {
    Object.assign(
      facts,
      await gatherFact(name, facts, dispatch, run, shareProgress(name, names, reportProgress)),
    )
    if (name === 'probe' && facts.probe !== undefined) onLength(facts.probe.duration_seconds)
  }
  // An operation reads only the facts that it names; defineOperation checks that.
  return facts as Facts
}

async function gatherFact(
  name: FactName,
  known: Partial<Facts>,
  dispatch: Dispatch,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Partial<Facts>> {
  const path = fileIn(run.folder, SOURCE)
  if (name === 'image') return { image: await readImageFacts(path, run) }
  if (name === 'link') return { link: await fetchLink(dispatch, run, reportProgress) }
  if (name === 'probe') {
    const probe = await probeVideo(path, run)
    checkLength(probe.duration_seconds, dispatch)
    return { probe }
  }
  const media = known.link?.media ?? known.probe
  if (media === undefined) return {}
  if (name === 'lead_seconds') return { lead_seconds: await measureLead(media, dispatch.params, run) }
  if (name === 'cut_packets')
    return {
      cut_packets:
        known.probe === undefined ? null : await measureCutPackets(known.probe, dispatch.params, run),
    }
  if (name === 'video_packets')
    return { video_packets: known.probe === undefined ? null : await measureVideoPackets(known.probe, run) }
  if (name === 'transcript')
    return { transcript: await readTranscript(media, dispatch.params, run, reportProgress) }
  if (name === 'silences') return { silences: await findTrackSilences(media, run) }
  if (name === 'loudness')
    return { loudness: await measureLoudness(media, dispatch.params, run, reportProgress) }
  return {}
}

/** Splits the progress in half if a link is both downloaded and transcribed. */
function shareProgress(
  name: FactName,
  names: readonly FactName[],
  reportProgress: (fraction: number) => void,
): (fraction: number) => void {
  if (!names.includes('link') || !names.includes('transcript')) return reportProgress
  return (fraction) => reportProgress(((name === 'link' ? 0 : 1) + fraction) / 2)
}
