/**
 * Reads a position or length as it is written on a clock: "1:02:30", "1:05.25", "65,25" or "65".
 * @returns seconds; null for no text, NaN for anything else
 */
export function parseClock(text: string): number | null {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return null
  const match = /^(?:(?:(\d+):)?(\d{1,3}):)?(\d+(?:\.\d*)?)$/.exec(trimmed)
  if (match === null) return Number.NaN
  const [, hours = 0, minutes = 0, seconds = 0] = match
  if (match[2] !== undefined && Number(seconds) >= 60) return Number.NaN
  if (match[1] !== undefined && Number(minutes) >= 60) return Number.NaN
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000
}

/** Writes seconds as parseClock reads them, without needless zeros: 65.25 → "1:05.25". */
export function writeClock(total_seconds: number): string {
  const total_ms = Math.round(total_seconds * 1000)
  const [hours, minutes] = [Math.floor(total_ms / 3_600_000), Math.floor(total_ms / 60_000) % 60]
  const [seconds, rest_ms] = [Math.floor(total_ms / 1000) % 60, total_ms % 1000]
  const two = (value: number) => String(value).padStart(2, '0')
  const fraction = rest_ms === 0 ? '' : `.${String(rest_ms).padStart(3, '0').replace(/0+$/, '')}`
  const clock = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
  return clock + fraction
}
