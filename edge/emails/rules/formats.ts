import type { Locale } from '../../../shared/text/texts.ts'

export function formatMoney(cents: number, currency: string, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }).format(
    cents / 100,
  )
}

export function formatDate(time: number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** Formats a date and a time of day, both in UTC. */
export function formatMoment(time: number, locale: Locale): string {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' })
  return `${formatDate(time, locale)}, ${clock.format(time)}`
}
