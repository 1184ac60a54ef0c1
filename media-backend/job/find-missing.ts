import { existsSync } from 'node:fs'
import { playedAudio } from '../../shared/ffmpeg/played-audio.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { readTimedMedia } from '../probe/probe.ts'
import { countEnds } from '../probe/timing/count-ends.ts'
import { endsOf, type TrackEnd } from '../probe/timing/declared-times.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'

/** How far a length may stay behind another: times are counted in frames, and cuts begin at some of them. */
const SHORT_SECONDS = 1
const SHORT_SHARE = 0.02

/**
 * What the input's header told of its picture and its sound, and was not there: of a broken upload the part that
 * came is worked on. It is looked for where a track of the result is shorter than was planned, which alone says
 * little: the plan goes by the whole file, in which subtitles or another sound may be the longest.
 * @param seconds how long each track of the result is.
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

/** Of the picture and of the sound that a plan takes from the input; of several sounds, the one that plays. */
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

/** The input's tracks by their pads: those that are mapped, and those that a graph reads. */
function usedTracks({ steps }: Plan): ReadonlySet<number> {
  const pads = steps.flatMap((step) => {
    if (step.kind !== 'ffmpeg' || step.inputs[0]?.file !== SOURCE) return []
    const { filter_graph, output } = step
    const mapped = output.options.filter((_, position) => output.options[position - 1] === '-map')
    return [filter_graph ?? '', ...mapped.map((pad) => `[${pad}]`)]
  })
  return new Set([...pads.join('').matchAll(/\[0:(\d+)\]/g)].map(([, track]) => Number(track)))
}

/** 0: nothing is. */
function missingSeconds(declared: readonly TrackEnd[], counted: ReadonlyMap<number, number>): number {
  const missing = declared.map(({ tracks, seconds }) => {
    const present_seconds = Math.max(...tracks.map((track) => counted.get(track) ?? 0))
    return isShort(present_seconds, seconds) ? seconds - present_seconds : 0
  })
  return Math.max(0, ...missing)
}
