import type { Job } from '../../client/src/index.ts'
import { findTool, nameOf } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'

/** Returns the title of a job's operation in the language of the page; its name until the titles are read. */
export function useJobTitle(job: Pick<Job, 'service_slug' | 'operation_key'>): string {
  const name = nameOf(job)
  return findTool(useTools().data ?? [], name)?.title ?? name
}
