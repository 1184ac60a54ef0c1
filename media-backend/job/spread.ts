import { setTimeout as pause } from 'node:timers/promises'
import { ffmpegSeconds } from '../../shared/ffmpeg/filters.ts'
import { chooseSegments } from '../../shared/ffmpeg/spread/choose-segments.ts'
import { JOINED } from '../../shared/ffmpeg/spread/plan-spread.ts'
import { segmentStep } from '../../shared/ffmpeg/spread/segment-step.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import type { SpreadEncode } from '../../shared/planning/spread.ts'
import type { Step } from '../../shared/planning/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { listStartFrames } from '../probe/timing/start-frames.ts'
import { CORES } from '../runtime/cores.ts'
import { failWith, JobFailure } from '../runtime/failure.ts'
import { runFfmpeg } from '../runtime/ffmpeg.ts'
import { fileIn } from '../runtime/folder.ts'
import { errorText, log } from '../runtime/log.ts'
import type { Run } from '../runtime/run.ts'
import { checkSegments } from '../steps/cut/check-segments.ts'
import { CutMismatch } from '../steps/cut/cut-mismatch.ts'
import { readMovieTrack } from '../steps/cut/movie-samples.ts'
import type { Measured } from '../steps/index.ts'
import { runPlan } from '../steps/plan.ts'
import { findRate, SEARCH_SHARE } from '../steps/rate/search-rate.ts'
import { withStepRate } from '../steps/rate/with-rate.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type EncodeTime,
  fingerprintOf,
  type SegmentOutcome,
  type SegmentQueue,
  type SegmentTask,
  segmentKey,
  segmentName,
  withSpreadRate,
} from './segment-task.ts'
import { encodeSeconds } from './shared-seconds.ts'

/** How often the worker looks for segments that others have finished or returned, once it has none to encode. */
const POLL_MS = 500
/** Share of the progress for joining the segments. */
const FINISH_SHARE = 0.05

export interface Spread {
  plan: Plan
  measured: Measured
  /** Processing time of other workers, in seconds. */
  other_seconds: number
}

export interface SpreadParts {
  dispatch: Dispatch
  segments: SegmentQueue
  storage: Storage
}

/**
 * Shares the encode of a long video with other workers (Contract: Credits, Time-based tariff). This worker offers all segments,
 * encodes from the last one those that nobody else has begun, and joins all. If anything does not fit, it encodes the
 * whole video alone, and the segments cost nothing. The queue discards the segments when the job ends.
 * @returns null if the video stays whole.
 */
export async function spreadEncode(
  plan: Plan,
  duration_seconds: number,
  parts: SpreadParts,
  run: Run,
  reportPercent: (percent: number) => void,
): Promise<Spread | null> {
  const { spread: planned, ...unshared } = plan
  const [step] = plan.steps
  if (planned === undefined || plan.steps.length !== 1 || step?.kind !== 'ffmpeg') return null
  const clock = startClock(run)
  const starts = await clock.pause(() => listStartFrames(planned, run))
  const { SPREAD_SECONDS_MIN } = run.environment
  const ranges = chooseSegments(starts, duration_seconds, planned, SPREAD_SECONDS_MIN)
  if (ranges === null) return null
  const { rate_search, ...encode } = step
  const reportSearch = (fraction: number) => reportPercent(fraction * SEARCH_SHARE * 100)
  const rate = rate_search === undefined ? null : await findRate(rate_search, run, reportSearch)
  const whole = { ...unshared, steps: [withStepRate(encode, rate)] }
  const spread = withSpreadRate(planned, rate)
  const fingerprint = fingerprintOf(spread)
  const done = rate === null ? 0 : SEARCH_SHARE
  const reportRest = (percent: number) => reportPercent(done * 100 + percent * (1 - done))
  const tasks = ranges.map((range) => ({ ...range, plan: fingerprint, rate }))
  try {
    const size = startSizeLimit(run.environment.OUTPUT_BYTES_MAX)
    return await encodeSegments(whole, spread, tasks, { ...parts, clock, size }, run, reportRest)
  } catch (error) {
    const is_damage = error instanceof JobFailure && error.error_code === 'processing_failed'
    if (!(error instanceof CutMismatch) && !is_damage) throw error
    log('spread_given_up', { error: errorText(error) })
  }
  await parts.segments.discard()
  clock.forget()
  return { ...(await runPlan(whole, run, reportRest)), other_seconds: 0 }
}

type Parts = SpreadParts & { clock: Clock; size: SizeLimit }

async function encodeSegments(
  whole: Plan,
  spread: SpreadEncode,
  tasks: readonly SegmentTask[],
  parts: Parts,
  run: Run,
  reportPercent: (percent: number) => void,
): Promise<Spread> {
  await parts.clock.pause(() => parts.segments.offer(tasks))
  if (spread.audio !== null) await runFfmpeg(spread.audio, run, () => {})
  const reportShare = (share: number) => reportPercent(share * (1 - FINISH_SHARE) * 100)
  const own = new Map<string, EncodeTime>()
  const outcomes = await encodeRest(spread, tasks, own, parts, run, reportShare)
  const steps = await fetchSegments(spread, tasks, own, parts, run)
  const made = await runPlan({ ...whole, steps }, run, () => {})
  const times = [...outcomes.values()].flatMap((outcome) => (outcome.status === 'done' ? [outcome] : []))
  return { ...made, other_seconds: encodeSeconds(times) - encodeSeconds([...own.values()]) }
}

/** Encodes segments until all are done here or elsewhere. */
async function encodeRest(
  spread: SpreadEncode,
  tasks: readonly SegmentTask[],
  own: Map<string, EncodeTime>,
  { dispatch, segments, storage, clock, size }: Parts,
  run: Run,
  reportShare: (share: number) => void,
): Promise<Map<string, SegmentOutcome>> {
  for (;;) {
    run.signal.throwIfAborted()
    const { outcomes, running } = await segments.read(tasks)
    const failed = [...outcomes.values()].find(({ status }) => status === 'failed')
    if (failed?.status === 'failed') throw new CutMismatch(failed.error)
    reportShare((outcomes.size + running) / tasks.length)
    const open = tasks.filter((task) => !outcomes.has(segmentName(task)))
    if (open.length === 0) return outcomes
    const task = await claimLast(open, segments)
    if (task === null) {
      await clock.pause(() => pause(POLL_MS, undefined, { signal: run.signal }))
      continue
    }
    // It may have ended between the two looks at the queue.
    if ((await segments.read([task])).outcomes.size > 0) continue
    const time = await encodeOwn(spread, task, run, (fraction) =>
      reportShare((outcomes.size + running + fraction) / tasks.length),
    )
    own.set(segmentName(task), time)
    await clock.pause(async () => {
      const local = { path: fileIn(run.folder, fileOf(task)), content_type: 'video/mp4' }
      const { size_bytes } = await storage.upload(segmentKey(dispatch, task), local, run, () => {})
      size.add(size_bytes)
      await segments.record(task, time)
    })
  }
}

/** The others take segments from the first one on, as they are queued. */
async function claimLast(open: readonly SegmentTask[], segments: SegmentQueue): Promise<SegmentTask | null> {
  for (const task of open.toReversed()) if (await segments.claim(task)) return task
  return null
}

async function encodeOwn(
  spread: SpreadEncode,
  task: SegmentTask,
  run: Run,
  reportFraction: (fraction: number) => void,
): Promise<EncodeTime> {
  const started_ms = Date.now()
  await runFfmpeg(segmentStep(spread, task, fileOf(task)), run, reportFraction)
  const time = { started_ms, ended_ms: Date.now(), cores: CORES }
  // What does not fit here fits nowhere.
  checkSegments([await readMovieTrack(fileIn(run.folder, fileOf(task)))], [task], spread)
  return time
}

/** Downloads the segments of others, checks all, and returns the steps that make the result of them. */
async function fetchSegments(
  spread: SpreadEncode,
  tasks: readonly SegmentTask[],
  own: ReadonlyMap<string, unknown>,
  { dispatch, storage, clock, size }: Parts,
  run: Run,
): Promise<Step[]> {
  const missing = tasks.filter((task) => !own.has(segmentName(task)))
  const fetchSegment = async (task: SegmentTask) => {
    const key = segmentKey(dispatch, task)
    const bytes = await storage
      .download({ key }, fileIn(run.folder, fileOf(task)), run, () => {})
      .catch((error) => {
        throw error instanceof JobFailure ? new CutMismatch('a segment is gone') : error
      })
    size.add(bytes)
  }
  await clock.pause(async () => {
    for (const task of missing) await fetchSegment(task)
  })
  const tracks = await Promise.all(tasks.map((task) => readMovieTrack(fileIn(run.folder, fileOf(task)))))
  const { timescale, starts } = checkSegments(tracks, tasks, spread)
  const { finish } = spread
  const [zero = 0] = starts
  const late = zero === 0 ? [] : ['-itsoffset', ffmpegSeconds(zero / timescale)]
  const options = ['-video_track_timescale', String(timescale), ...finish.output.options]
  return [
    {
      kind: 'join',
      timescale,
      parts: tasks.map((task, at) => ({
        file: fileOf(task),
        start: (starts[at] ?? 0) - zero,
        earliest: 0,
        encoded: false,
      })),
      end: null,
      output: { file: JOINED },
    },
    {
      ...finish,
      inputs: finish.inputs.map((input) => (input.file === JOINED ? { ...input, options: late } : input)),
      output: { ...finish.output, options },
    },
  ]
}

function fileOf(task: SegmentTask): string {
  return `segment-${segmentName(task)}.mp4`
}

/** Limits the segments of a job together, as ffmpeg limits the file of one encode. */
interface SizeLimit {
  add(bytes: number): void
}

function startSizeLimit(bytes_max: number): SizeLimit {
  let total = 0
  return {
    add(bytes) {
      total += bytes
      if (total > bytes_max) throw failWith('output_too_large')
    },
  }
}

/** Keeps time that one worker would not have spent out of the processing time. */
interface Clock {
  /** Does not charge the time of this work: waiting for others, exchanging segments. */
  pause<T>(work: () => Promise<T>): Promise<T>
  /** Does not charge anything since the start. */
  forget(): void
}

function startClock(run: Run): Clock {
  const start_ms = performance.now()
  const leaveOutSince = (from_ms: number) => run.waits?.add((performance.now() - from_ms) / 1000)
  return {
    async pause(work) {
      const from_ms = performance.now()
      try {
        return await work()
      } finally {
        leaveOutSince(from_ms)
      }
    },
    forget() {
      leaveOutSince(start_ms)
    },
  }
}
