/** Typical distance to the keyframe from which a timestamp is decoded; more is read if it is farther. */
export const KEYFRAME_SECONDS = 2
