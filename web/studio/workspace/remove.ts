import { items, type WorkItem } from './items.ts'
import { isUnsent } from './run-items.ts'
import { stopUpload } from './upload-items.ts'

/** Removes a file from the studio. Jobs that the service has accepted go on, and their results stay. */
export function removeItem(item: WorkItem): void {
  if (item.upload.value.status !== 'done') stopUpload(item)
  item.is_removed.value = true
  item.runs.value = item.runs.value.filter((run) => !isUnsent(run))
  dropIfEmpty(item)
}

/** Removes a result, or a run that has not been sent to the service. */
export function removeRun(item: WorkItem, id: string): void {
  item.runs.value = item.runs.value.filter((run) => run.id !== id)
  dropIfEmpty(item)
}

function dropIfEmpty({ id, is_removed, runs }: WorkItem): void {
  if (is_removed.value && runs.value.length === 0) items.value = items.value.filter((item) => item.id !== id)
}
