/** About as far back is the keyframe from which a moment is read. Where it is farther, more is read. */
export const KEYFRAME_SECONDS = 2
