import type { Job } from '../../client/src/index.ts'
import { titleOf } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'

type Titled = Pick<Job, 'service_slug' | 'operation_key' | 'params'>

/** Returns the titles of a job's operations in the language of the page; their keys until the titles are read. */
export function useJobTitle(job: Titled): string {
  return titleOf(useTools().data ?? [], job)
}
