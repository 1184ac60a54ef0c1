import type { Plan } from '../../shared/planning/operation.ts'
import type { ResultFile } from '../../shared/protocol/job-report.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Progress } from '../runtime/progress.ts'
import { type Run, secondsSince } from '../runtime/run.ts'
import type { Storage } from '../storage/storage.ts'
import type { Attempt } from './attempt.ts'
import { exportResult } from './export.ts'
import { removeAll, uploadOutputs } from './upload.ts'

interface Delivered {
  files: ResultFile[]
  /** Time of the export, which counts as processing time: the customer's storage determines it. */
  export_seconds: number
}

/**
 * Uploads the outputs, and exports them if the job asks for it. If the export fails, removes the uploads: the job
 * then has no result.
 * @throws JobFailure export_failed
 */
export async function deliverResult(
  plan: Plan,
  attempt: Attempt,
  run: Run,
  storage: Storage,
  progress: Progress,
): Promise<Delivered> {
  if (!attempt.dispatch.exports) {
    const files = await uploadOutputs(plan, attempt, run.folder, storage, progress.begin(1))
    return { files, export_seconds: 0 }
  }
  const files = await uploadOutputs(plan, attempt, run.folder, storage, progress.begin(0.5))
  const results = files.map((stored, index) => ({
    path: fileIn(run.folder, plan.outputs[index]?.file ?? ''),
    stored,
  }))
  const started_at = new Date()
  try {
    const exported = await exportResult(results, run, progress.begin(1))
    return { files: exported, export_seconds: secondsSince(started_at) }
  } catch (error) {
    await removeAll(
      files.map(({ key }) => key),
      storage,
    )
    throw error
  }
}
