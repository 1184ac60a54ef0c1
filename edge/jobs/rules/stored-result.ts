import type { ResultFile } from '../../../shared/protocol/job-report.ts'

/** The stored result of a job: keys, from which URLs are built when it is shown. */
export interface StoredResult {
  files: ResultFile[]
  body: Record<string, unknown>
  /** Set if a list omits the body. */
  body_omitted?: true
}
