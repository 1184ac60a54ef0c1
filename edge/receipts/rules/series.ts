const SERIES = { receipt: 'R', credit_note: 'C' } as const
const DIGITS = 6

/**
 * Returns the series in which a database numbers. Each database has its own, so that numbers have no gaps although no
 * commit spans two.
 * @param database the number of the database; 0 for the first, whose series have no number.
 */
export function seriesOf(kind: keyof typeof SERIES, database: number): string {
  return `${SERIES[kind]}${database > 0 ? database : ''}`
}

/** Formats a number such as `R-000042`. */
export function formatNumber({ series, number }: { series: string; number: number }): string {
  return `${series}-${String(number).padStart(DIGITS, '0')}`
}
