import type { Plan } from '../../shared/planning/operation.ts'
import type { ResultFile } from '../../shared/protocol/job-report.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Progress, ReportProgress } from '../runtime/progress.ts'
import { type Run, secondsSince } from '../runtime/run.ts'
import type { Measured } from '../steps/index.ts'
import type { Storage } from '../storage/storage.ts'
import type { Attempt } from './attempt.ts'
import { exportResult } from './export.ts'
import { measureResult } from './measure-result.ts'
import { removeAll, uploadOutputs } from './upload.ts'

interface Delivered extends UploadedResult {
  /** Time of the export, which counts as processing time: the customer's storage determines it. */
  export_seconds: number
}

interface UploadedResult {
  files: ResultFile[]
  /** Fields of `result.body`. */
  measurements: Record<string, unknown>
}

/**
 * Measures and uploads the outputs, and exports them if the job asks for it. If the export fails, removes the uploads:
 * the job then has no result.
 * @throws JobFailure result_empty or export_failed
 */
export async function deliverResult(
  plan: Plan,
  measured: Measured,
  attempt: Attempt,
  run: Run,
  storage: Storage,
  progress: Progress,
): Promise<Delivered> {
  const reportUpload = progress.begin(attempt.dispatch.exports ? 0.5 : 1)
  const uploaded = await uploadMeasured(plan, measured, attempt, run, storage, reportUpload)
  if (!attempt.dispatch.exports) return { ...uploaded, export_seconds: 0 }
  const results = uploaded.files.map((stored, index) => ({
    path: fileIn(run.folder, plan.outputs[index]?.file ?? ''),
    stored,
  }))
  const started_at = new Date()
  const waited_before = attempt.waits.seconds()
  try {
    const files = await exportResult(results, run, progress.begin(1))
    const waited_seconds = attempt.waits.seconds() - waited_before
    return { ...uploaded, files, export_seconds: Math.max(0, secondsSince(started_at) - waited_seconds) }
  } catch (error) {
    await removeFiles(uploaded.files, storage)
    throw error
  }
}

/**
 * Uploads the outputs while the first one is measured. If the measurement rejects the result, removes the uploads.
 * @throws JobFailure result_empty
 */
async function uploadMeasured(
  plan: Plan,
  measured: Measured,
  attempt: Attempt,
  run: Run,
  storage: Storage,
  reportProgress: ReportProgress,
): Promise<UploadedResult> {
  const [measurements, files] = await Promise.allSettled([
    measureResult(plan, measured, run),
    uploadOutputs(plan, attempt, run.folder, storage, reportProgress),
  ])
  if (measurements.status === 'fulfilled' && files.status === 'fulfilled') {
    return { files: files.value, measurements: measurements.value }
  }
  if (files.status === 'fulfilled') await removeFiles(files.value, storage)
  // The reason why the result is rejected explains more than a missing file.
  throw measurements.status === 'rejected' ? measurements.reason : (files as PromiseRejectedResult).reason
}

function removeFiles(files: readonly ResultFile[], storage: Storage): Promise<void> {
  return removeAll(
    files.map(({ key }) => key),
    storage,
  )
}
