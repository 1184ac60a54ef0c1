import { segmentStep } from '../../shared/ffmpeg/spread/segment-step.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { gatherFacts } from '../probe/index.ts'
import { CORES } from '../runtime/cores.ts'
import { runFfmpeg } from '../runtime/ffmpeg.ts'
import { fileIn, makeFolder, removeFolder } from '../runtime/folder.ts'
import { factsOf, readStages } from '../runtime/read-stages.ts'
import type { Run } from '../runtime/run.ts'
import type { Waits } from '../runtime/waits.ts'
import { type JobSource, openSource } from '../storage/source.ts'
import type { JobParts } from './job.ts'
import { makePlan, workloadOf } from './make-plan.ts'
import {
  type EncodeTime,
  fingerprintOf,
  type SegmentTask,
  segmentKey,
  withSpreadRate,
} from './segment-task.ts'
import { stepSecondsMax, withTimeLimit } from './time-limit.ts'
import { removeAll } from './upload.ts'

/** One attempt of a worker to encode a segment of a job that another worker runs. */
export interface SegmentAttempt {
  dispatch: Dispatch
  task: SegmentTask
  /** Names the folder. */
  id: string
  number: number
  signal: AbortSignal
  waits: Waits
  reportProgress(fraction: number): void
}

const SEGMENT = 'segment.mp4'

/**
 * Encodes a segment and puts it into the storage. Reads only the part of the input that it needs, and plans the job
 * again: what waits in the queue names work, never commands.
 * @returns null if this worker plans the job in another way than the one that cut it into segments.
 * @throws JobFailure if the file is at fault; any other error is internal.
 */
export async function encodeSegment(
  attempt: SegmentAttempt,
  { environment, storage }: JobParts,
): Promise<EncodeTime | null> {
  const { dispatch, task, id, number, signal, waits } = attempt
  const folder = await makeFolder(environment.WORK_DIRECTORY, id, number)
  try {
    const { max_input_seconds, tier } = dispatch
    const run: Run = { folder, signal, environment, ceiling: { max_input_seconds, tier }, waits }
    const facts = factsOf(readStages(dispatch))
    const source = await openSource(dispatch, facts, run, storage, () => {})
    const time = await encodeFrom(source, attempt).finally(() => source.close())
    if (time === null) return null
    const key = segmentKey(dispatch, task)
    await storage.upload(key, { path: fileIn(folder, SEGMENT), content_type: 'video/mp4' }, run, () => {})
    if (signal.aborted) await removeAll([key], storage)
    signal.throwIfAborted()
    return time
  } finally {
    await removeFolder(folder)
  }
}

async function encodeFrom(
  source: JobSource,
  { dispatch, task, waits, reportProgress }: SegmentAttempt,
): Promise<EncodeTime | null> {
  const stages = readStages(dispatch)
  const facts = await source.use((reading) => gatherFacts(factsOf(stages), dispatch, reading, () => {}))
  const plan = makePlan(stages, { ...facts, assets: {} }, dispatch)
  if (plan.spread === undefined) return null
  const spread = withSpreadRate(plan.spread, task.rate)
  if (fingerprintOf(spread) !== task.plan) return null
  const { bytes } = await source.measureFor(plan, facts)
  const seconds_max = stepSecondsMax(plan, workloadOf(facts, bytes))
  const started_ms = Date.now()
  const outage_before = waits.outageSeconds()
  await source.use((reading) =>
    withTimeLimit(seconds_max, reading, (signal) =>
      runFfmpeg(segmentStep(spread, task, SEGMENT), { ...reading, signal }, reportProgress),
    ),
  )
  // An outage of the storage is not charged.
  const outage_ms = (waits.outageSeconds() - outage_before) * 1000
  return { started_ms, ended_ms: Date.now() - outage_ms, cores: CORES }
}
