import type { ResultFile } from '../../../shared/protocol/job-report.ts'

/** What a job's row keeps of its result: keys, from which addresses are made when it is shown. */
export interface StoredResult {
  files: ResultFile[]
  body: Record<string, unknown>
  /** Set where a list leaves the body out. */
  body_omitted?: true
}
