import { JobFailure } from '../failure.ts'
import type { Run } from '../run.ts'
import { outOfTime } from '../sharp.ts'
import type { DecoderProcess } from './process.ts'
import { ANSWERS, type Answer, type TaskName, type TaskOutput } from './tasks.ts'

/** Beyond the limit of a pipeline, a search for a quality returns its best result. */
const GRACE_SECONDS = 10

/**
 * Sends a request. If the job is canceled or the answer is late, kills the process. The wait for the start of a process
 * is not charged.
 */
export async function ask(worker: DecoderProcess, request: object, run: Run): Promise<Answer> {
  const too_late = AbortSignal.timeout((run.environment.IMAGE_SECONDS_MAX + GRACE_SECONDS) * 1000)
  const kill = () => void worker.end()
  const aborts = [run.signal, too_late]
  for (const signal of aborts) signal.addEventListener('abort', kill, { once: true })
  try {
    const start_ms = performance.now()
    await worker.waitUntilReady()
    run.waits?.add((performance.now() - start_ms) / 1000)
    return await worker.run(request)
  } catch (error) {
    run.signal.throwIfAborted()
    if (too_late.aborted) {
      await worker.end()
      throw outOfTime()
    }
    throw error
  } finally {
    for (const signal of aborts) signal.removeEventListener('abort', kill)
  }
}

/**
 * Checks an answer.
 * @throws Error if it is not valid, or if the task failed for an internal reason.
 */
export function readAnswer<Name extends TaskName>(name: Name, answer: Answer): TaskOutput<Name> | JobFailure {
  if ('failed' in answer) return new JobFailure(answer.failed)
  if ('error' in answer) throw new Error(answer.error)
  return ANSWERS[name].parse(answer.done) as TaskOutput<Name>
}
