/** A session younger than this proves the identity of the caller. */
const RECENT_MS = 10 * 60 * 1000

export function isRecentSignIn({ signed_in_at }: { signed_in_at: number }, now: number): boolean {
  return now - signed_in_at <= RECENT_MS
}
