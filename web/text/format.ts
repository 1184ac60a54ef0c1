import { locale } from './locale.ts'

/** As in the limits and errors of the service. */
const KILOBYTE = 1024
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size in bytes in the language of the page, such as "1.4 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(KILOBYTE)))
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit: BYTE_UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / KILOBYTE ** power)
}

/** Formats a position or length in seconds as a clock: "0:07", "1:02:30", with milliseconds "0:07.250". */
export function formatClock(seconds: number, { milliseconds = false } = {}): string {
  const total_ms = Math.round(seconds * 1000)
  const whole = Math.floor(total_ms / 1000)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const clock = hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
  return milliseconds ? `${clock}.${pad(total_ms % 1000, 3)}` : clock
}

export function formatPercent(fraction: number): string {
  return new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 0 }).format(fraction)
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale.value).format(value)
}

/** Returns the name of a language in the language of the page, or null if the code is unknown. */
export function languageName(code: string): string | null {
  try {
    return new Intl.DisplayNames(locale.value, { type: 'language', fallback: 'none' }).of(code) ?? null
  } catch {
    return null
  }
}

/** Formats a time of the API in the time zone of the browser. */
export function formatDateTime(iso: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  )
}

/** Formats the time of day of a moment, with seconds. */
export function formatTime(time_ms: number): string {
  return new Intl.DateTimeFormat(locale.value, { timeStyle: 'medium' }).format(new Date(time_ms))
}

/** Formats how long something took: "4.2 sec", and from one minute on as a clock. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 60) return formatClock(seconds)
  const style = { style: 'unit', unit: 'second', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale.value, style).format(seconds)
}

/** Formats the day of a time of the API. Dates of plans and credits are days in UTC, as in emails. */
export function formatDate(iso: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}

export function formatMoney(cents: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  return new Intl.NumberFormat(locale.value, style).format(cents / 100)
}

/** Formats the time until which something is possible, with the day of the week. */
export function formatDeadline(iso: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: 'full', timeStyle: 'short' }).format(
    new Date(iso),
  )
}

/** Forms of a counted noun, including the number: `few` and `many` exist in Ukrainian and Russian. */
export type CountForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Writes a number with its noun, such as "3 files". Each form contains `#` for the number. */
export function formatCount(count: number, forms: CountForms): string {
  const rule = new Intl.PluralRules(locale.value).select(count)
  return (forms[rule] ?? forms.other).replace('#', formatNumber(count))
}

/** Formats a duration in words, such as "2 min" or "45 sec". */
export function formatDuration(seconds: number): string {
  const unit = seconds < 90 ? 'second' : seconds < 5400 ? 'minute' : 'hour'
  const value = seconds / { second: 1, minute: 60, hour: 3600 }[unit]
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }).format(Math.ceil(value))
}
