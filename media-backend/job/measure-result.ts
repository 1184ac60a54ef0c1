import { stat } from 'node:fs/promises'
import { playedAudio } from '../../shared/ffmpeg/played-audio.ts'
import { extensionOf, formatOf } from '../../shared/planning/formats.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { type MovieTrack, readMovieTracks } from '../probe/movie-tracks.ts'
import { type Media, readTimedMedia } from '../probe/probe.ts'
import { type DeclaredTimes, endsOf } from '../probe/timing/declared-times.ts'
import { decode } from '../runtime/decoder/decode.ts'
import { failWith, type JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { shownDelay } from '../runtime/shown-delay.ts'
import type { Measured } from '../steps/index.ts'
import { findMissing } from './find-missing.ts'

const IMAGES = new Set(['jpg', 'png', 'webp', 'avif', 'gif'])
const VIDEOS = new Set(['mp4', 'webm', 'mov', 'mkv'])
const AUDIO_FORMATS = new Set(['mp3', 'aac', 'm4a', 'opus', 'ogg'])

/** Measures the size, length and format of the first output for `result.body`. */
export async function measureResult(
  plan: Plan,
  measured: Measured,
  run: Run,
): Promise<Record<string, unknown>> {
  const [{ file }] = plan.outputs
  const extension = extensionOf(file)
  const encode_mode = plan.encode_mode === null ? {} : { encode_mode: plan.encode_mode }
  const shown = await measureFile(plan, extension, measured, run)
  // Downloads have no encode mode: a WebM downloaded from a link may contain only audio.
  if (plan.encode_mode !== null && VIDEOS.has(extension) && shown.width === undefined) throw nothingLeft()
  return { ...plan.body, ...encode_mode, ...shown, format: formatOf(extension) }
}

async function measureFile(
  plan: Plan,
  extension: string,
  measured: Measured,
  run: Run,
): Promise<Record<string, unknown>> {
  const [{ file }] = plan.outputs
  const known = measured.get(file)
  if (known !== undefined && 'width' in known) return known
  const path = fileIn(run.folder, file)
  await requireContent(path)
  if (IMAGES.has(extension)) {
    const { width, height } = await decode('facts', { file }, run)
    return { width, height, ...(extension === 'gif' ? await measureLoop(plan, file, run) : {}) }
  }
  if (!VIDEOS.has(extension) && !AUDIO_FORMATS.has(extension)) return {}
  const tracks = await readMovieTracks(path, run)
  const headed = plan.encode_mode === null ? null : measureHeaders(tracks)
  const { size, lengths } = headed ?? (await probeResult(path, tracks, run))
  return {
    ...known,
    ...size,
    duration_seconds: Math.max(...lengths),
    ...(await findMissing(plan, lengths, run)),
  }
}

interface MeasuredMedia {
  size: { width?: number; height?: number }
  lengths: number[]
}

/**
 * Measures a result that ffmpeg wrote by its headers, because ffprobe takes almost as long as a short remux.
 * @returns null unless the result has one video track that is shown as coded, and at most one audio track.
 */
function measureHeaders(tracks: readonly MovieTrack[]): MeasuredMedia | null {
  const [video, ...videos] = tracks.filter(({ kind }) => kind === 'video')
  const audio = tracks.filter(({ kind }) => kind === 'audio')
  if (video == null || video.size === null || videos.length > 0 || audio.length > 1) return null
  const lengths = [video, ...audio].map(({ end_seconds }) => end_seconds)
  return lengths.every((seconds) => seconds > 0) ? { size: video.size, lengths } : null
}

async function probeResult(path: string, tracks: readonly MovieTrack[], run: Run): Promise<MeasuredMedia> {
  const { media, declared } = await readTimedMedia(path, run)
  const size = media.video === null ? {} : { width: media.video.width, height: media.video.height }
  const ends = tracks.map(({ end_seconds }) => end_seconds)
  return { size, lengths: playedLengths(media, declared, ends) }
}

/**
 * Returns the lengths of the played video and audio. Subtitles and chapters are copied with their declared times
 * and may last longer than the media.
 * @param track_ends ends of the tracks in an MP4, which plays from 0 even if its first frame starts later.
 */
function playedLengths(
  { video, audio, duration_seconds, clock_restarts }: Media,
  declared: DeclaredTimes,
  track_ends: readonly number[],
): number[] {
  const tracks = [...(video === null ? [] : [video]), ...playedAudio(audio)].map(({ index }) => index)
  const headed = tracks.map((index) => track_ends[index] ?? 0)
  if (headed.length > 0 && headed.every((seconds) => seconds > 0)) return headed
  const ends = endsOf(declared, tracks)
  if (clock_restarts || ends.length === 0) return [duration_seconds]
  const start_seconds = Math.max(0, declared.start_seconds)
  return ends.map(({ seconds }) => Number((seconds - start_seconds).toFixed(3)))
}

/** Measures one loop of an animated GIF as browsers display it. A still GIF has no length. */
async function measureLoop(plan: Plan, file: string, run: Run): Promise<Record<string, number>> {
  const { delay } = await decode('header', { file }, run)
  const duration_seconds = delay.reduce((sum, ms) => sum + shownDelay(ms), 0) / 1000
  const missing = await findMissing(plan, [duration_seconds], run)
  return { ...(delay.length < 2 ? {} : { duration_seconds }), ...missing }
}

/** Rejects an empty result: after a seek past the end, ffmpeg succeeds but writes nothing, or only audio. */
async function requireContent(path: string): Promise<void> {
  const written = await stat(path).catch(() => null)
  if (written === null || written.size === 0) throw nothingLeft()
}

function nothingLeft(): JobFailure {
  return failWith('result_empty')
}
