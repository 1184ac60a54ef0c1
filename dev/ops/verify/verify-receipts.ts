import type { OpsDeps } from '../open-deps.ts'

/** Each row is a series whose receipts are not numbered up to its last number, apart from recorded gaps. */
const MISSING = `SELECT s.series, s.last
    - (SELECT coalesce(sum(g.last - g.first + 1), 0) FROM receipt_gaps g WHERE g.series = s.series)
    - (SELECT count(*) FROM receipts r WHERE r.series = s.series AND NOT EXISTS
      (SELECT 1 FROM receipt_gaps g WHERE g.series = r.series AND r.number BETWEEN g.first AND g.last)) AS missing
  FROM receipt_series s WHERE missing <> 0`

/** Checks that receipts and credit notes are numbered without gaps. Returns a sentence for each fault. */
export async function verifyReceipts({ $client }: Pick<OpsDeps['db'], '$client'>): Promise<string[]> {
  const { rows } = await $client.execute(MISSING)
  return rows.map(({ series, missing }) => `receipts ${series}: ${missing} numbers are missing`)
}
