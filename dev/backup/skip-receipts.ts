import type { InStatement } from '@libsql/client'
import { seriesOf } from '../../edge/receipts/rules/series.ts'

/** More receipts than the time between two backups issues. */
const NUMBERS_SKIPPED = 100_000

/**
 * Returns the statements that skip the numbers of receipts and credit notes which customers may hold since the backup,
 * and record them as a gap.
 * @param database the number of the database
 */
export function skipReceipts(database: number, restored_at: number): InStatement[] {
  return (['receipt', 'credit_note'] as const).flatMap((kind) => {
    const series = seriesOf(kind, database)
    return [
      {
        sql: `INSERT INTO receipt_gaps (series, first, last, restored_at)
          SELECT ?1, coalesce(max(last), 0) + 1, coalesce(max(last), 0) + ?2, ?3 FROM receipt_series WHERE series = ?1`,
        args: [series, NUMBERS_SKIPPED, restored_at],
      },
      {
        sql: `INSERT INTO receipt_series (series, last) SELECT series, max(last) FROM receipt_gaps WHERE series = ?1
          ON CONFLICT (series) DO UPDATE SET last = excluded.last`,
        args: [series],
      },
    ]
  })
}
