import type { Facts, LinkMedia } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { planPipeline } from '../../shared/planning/pipeline.ts'
import type { FramePass, SourceFrames } from '../../shared/planning/steps.ts'
import { decodedFrames, framePass, refuseWork } from '../../shared/planning/work.ts'
import { refusalFailure } from '../runtime/failure.ts'
import type { Ceiling } from '../runtime/length.ts'
import type { Stages } from '../runtime/read-stages.ts'
import type { Workload } from './time-limit.ts'

/**
 * Plans the job before any step runs.
 * @throws JobFailure parameter_refused if the plan is refused or exceeds the work limit of the tier.
 */
export function makePlan(stages: Stages, facts: Facts, ceiling: Ceiling): Plan {
  const plan = planPipeline(stages, facts)
  if ('refused' in plan) throw refusalFailure(plan)
  const refusal = refuseWork(plan, inputPass(facts), ceiling)
  if (refusal !== null) throw refusalFailure(refusal)
  return plan
}

/** Returns the media of a file or link, or undefined for images. */
export function mediaOf({ probe, link }: Partial<Facts>): LinkMedia | undefined {
  return link?.media ?? probe
}

/** Returns the frames of the input, or null if it is not a video. */
export function sourceFrames(facts: Partial<Facts>): SourceFrames | null {
  const video = mediaOf(facts)?.video
  return video == null ? null : decodedFrames(video)
}

export function inputPass(facts: Partial<Facts>): FramePass | null {
  const media = mediaOf(facts)
  return media?.video == null ? null : framePass({ ...media, video: media.video })
}

/** Returns null for images, which have their own time limit. */
export function workloadOf(facts: Partial<Facts>, bytes: number): Workload | null {
  const media = mediaOf(facts)
  if (media === undefined) return null
  const { duration_seconds, audio } = media
  return { video: inputPass(facts), audio_seconds: duration_seconds * audio.length, bytes }
}
