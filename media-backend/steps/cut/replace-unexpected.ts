import { JobFailure } from '../../runtime/failure.ts'
import { errorText, log } from '../../runtime/log.ts'
import type { Run } from '../../runtime/run.ts'
import { CutMismatch } from './cut-mismatch.ts'

/**
 * Runs a step of a cut. Encoding everything needs none of the code that reads its bytes, so an unexpected error there is
 * logged and does not fail the job.
 * @throws CutMismatch instead of an unexpected error.
 */
export async function replaceUnexpected(work: () => Promise<void>, { signal }: Run): Promise<void> {
  try {
    await work()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CutMismatch || error instanceof JobFailure) throw error
    log('cut_failed', { error: errorText(error), stack: error instanceof Error ? error.stack : undefined })
    throw new CutMismatch(`unexpected error: ${errorText(error)}`)
  }
}
