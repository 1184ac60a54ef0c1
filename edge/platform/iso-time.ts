/** Formats Unix milliseconds as ISO 8601 in UTC, the format of every time in the API. */
export function isoTime(ms: number): string
export function isoTime(ms: number | null): string | null
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
