/**
 * Typical distance from a timestamp back to the keyframe where decoding starts; more is read if it is farther away.
 */
export const KEYFRAME_SECONDS = 2
