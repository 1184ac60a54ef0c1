/** The response of the name servers to one query. */
export interface DnsFinding {
  /** "no_name": the name itself does not exist; "unknown": they could not answer. */
  outcome: 'records' | 'no_records' | 'no_name' | 'unknown'
  records: readonly string[]
}
