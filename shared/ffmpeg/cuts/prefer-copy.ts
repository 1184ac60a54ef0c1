import type { MediaProbe } from '../../planning/facts.ts'
import { estimatePlanSeconds } from '../../planning/lanes.ts'
import type { Plan } from '../../planning/operation.ts'
import { decodedFrames } from '../../planning/work.ts'
import { encodeAll } from './encode-all.ts'

/** A copy must take clearly less time than encoding everything, because it may fail and need both. */
const TIME_SHARE_MAX = 0.7

/** Returns the plan that copies most frames if it is clearly faster than its fallback, which encodes all of them. */
export function preferCopy({ video }: MediaProbe, copy: Plan, full: Plan): Plan {
  const frames = decodedFrames(video)
  const is_faster = estimatePlanSeconds(copy, frames) <= TIME_SHARE_MAX * estimatePlanSeconds(full, frames)
  return is_faster ? copy : encodeAll(full, 'estimate')
}
