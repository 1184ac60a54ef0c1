/** The name servers' response to one query. */
export interface DnsFinding {
  /** "no_name": the name does not exist; "unknown": the name servers did not respond. */
  outcome: 'records' | 'no_records' | 'no_name' | 'unknown'
  records: readonly string[]
}
