import type { EncodeReason, Plan } from '../../planning/operation.ts'

/** Returns the plan that encodes all of the video, with the reason in the body of its result. */
export function encodeAll(full: Plan, encode_reason: EncodeReason): Plan {
  return { ...full, body: { ...full.body, encode_reason } }
}
