/** More than the 16 frames that can be displayed before the keyframe that they follow in decoding order. */
const LEADING_SECONDS = 0.7

/**
 * Returns where to seek so that the frame at a time can be decoded. In open groups, the frames before a keyframe in
 * display order need the group before it, but a seek to them would land on the keyframe.
 */
export function decodeFrom(seconds: number): number {
  return Math.max(0, seconds - LEADING_SECONDS)
}
