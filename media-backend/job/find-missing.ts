import { existsSync } from 'node:fs'
import { playedAudio } from '../../shared/ffmpeg/played-audio.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { readTimedMedia } from '../probe/probe.ts'
import { countEnds } from '../probe/timing/count-ends.ts'
import { endsOf, type TrackEnd } from '../probe/timing/declared-times.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'

/** Tolerance between two lengths: durations are counted in frames, and cuts start at keyframes. */
const SHORT_SECONDS = 1
const SHORT_SHARE = 0.02

/**
 * Measures how much of the declared video and audio is missing from a truncated input. Runs only if a track in the
 * result is shorter than planned. A short track alone proves little, because subtitles or another audio track may
 * be the longest in the input.
 * @param seconds length of each track in the result.
 */
export async function findMissing(
  plan: Plan,
  seconds: readonly number[],
  run: Run,
): Promise<{ missing_seconds?: number }> {
  const planned_seconds = plannedSeconds(plan)
  const path = fileIn(run.folder, SOURCE)
  if (!seconds.some((length) => isShort(length, planned_seconds)) || !existsSync(path)) return {}
  const declared = await readUsedEnds(plan, path, run)
  const tracks = declared.flatMap((end) => end.tracks)
  const counted = declared.length === 0 ? null : await countEnds(path, tracks, run)
  const missing_seconds = counted === null ? 0 : missingSeconds(declared, counted)
  return missing_seconds > 0 ? { missing_seconds: Number(missing_seconds.toFixed(3)) } : {}
}

function plannedSeconds({ steps, outputs: [{ file }] }: Plan): number {
  const writing = steps.findLast((step) => step.kind === 'ffmpeg' && step.output.file === file)
  return (writing?.kind === 'ffmpeg' ? writing.output_duration_seconds : null) ?? 0
}

function isShort(seconds: number, whole_seconds: number): boolean {
  return whole_seconds - seconds > Math.max(SHORT_SECONDS, SHORT_SHARE * whole_seconds)
}

/**
 * Reads the declared ends of the video and audio that a plan uses. If there are several audio tracks, only the
 * played one counts.
 */
async function readUsedEnds(plan: Plan, path: string, run: Run): Promise<TrackEnd[]> {
  const { media, declared } = await readTimedMedia(path, run)
  const { video, audio, clock_restarts } = media
  if (clock_restarts) return []
  const used = usedTracks(plan)
  const played = playedAudio(audio.filter(({ index }) => used.has(index)))
  const shown = video !== null && used.has(video.index) ? [video] : []
  const tracks = [...shown, ...played].map(({ index }) => index)
  return endsOf(declared, tracks)
}

/** Returns the indexes of the input tracks that are mapped or read by a filter graph. */
function usedTracks({ steps }: Plan): ReadonlySet<number> {
  const pads = steps.flatMap((step) => {
    if (step.kind !== 'ffmpeg' || step.inputs[0]?.file !== SOURCE) return []
    const { filter_graph, output } = step
    const mapped = output.options.filter((_, position) => output.options[position - 1] === '-map')
    return [filter_graph ?? '', ...mapped.map((pad) => `[${pad}]`)]
  })
  return new Set([...pads.join('').matchAll(/\[0:(\d+)\]/g)].map(([, track]) => Number(track)))
}

/** Returns 0 if nothing is missing. */
function missingSeconds(declared: readonly TrackEnd[], counted: ReadonlyMap<number, number>): number {
  const missing = declared.map(({ tracks, seconds }) => {
    const present_seconds = Math.max(...tracks.map((track) => counted.get(track) ?? 0))
    return isShort(present_seconds, seconds) ? seconds - present_seconds : 0
  })
  return Math.max(0, ...missing)
}
