import type { ResultFile } from '../../../shared/protocol/job-report.ts'

/** The result of a job as stored. It contains storage keys; the URLs are built when the job is shown. */
export interface StoredResult {
  files: ResultFile[]
  body: Record<string, unknown>
  /** Set when a list omits the body. */
  body_omitted?: true
}
