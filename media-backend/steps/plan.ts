import { stat } from 'node:fs/promises'
import type { Plan } from '../../shared/planning/operation.ts'
import { JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import { errorText, log } from '../runtime/log.ts'
import type { Run } from '../runtime/run.ts'
import { CutMismatch } from './cut/cut-mismatch.ts'
import { type Measured, runSteps } from './index.ts'

/** Runs a plan. Returns the plan that produced the result, and what its steps measured. */
export async function runPlan(
  plan: Plan,
  run: Run,
  reportPercent: (percent: number) => void,
): Promise<{ plan: Plan; measured: Measured }> {
  const made = await runWithFallback(plan, run, reportPercent)
  return (await keepInput(made.plan, run)) ?? made
}

/** Runs the fallback of the plan if a step fails because of the file. */
async function runWithFallback(
  plan: Plan,
  run: Run,
  reportPercent: (percent: number) => void,
): Promise<{ plan: Plan; measured: Measured }> {
  const { fallback, steps } = plan
  if (fallback === undefined) return { plan, measured: await runSteps(steps, run, reportPercent) }
  try {
    return { plan, measured: await runSteps(steps, run, reportPercent) }
  } catch (error) {
    const is_mismatch = error instanceof CutMismatch
    const is_damage = error instanceof JobFailure && error.error_code === 'processing_failed'
    if (!is_mismatch && !is_damage) throw error
    log('plan_replaced', { error: errorText(error) })
    return runWithFallback(fallback, run, reportPercent)
  }
}

/** Copies the input if the result is larger than the input. Returns null if the result is kept. */
async function keepInput(
  { never_larger, outputs }: Plan,
  run: Run,
): Promise<{ plan: Plan; measured: Measured } | null> {
  if (never_larger === undefined) return null
  const { input_bytes, copy } = never_larger
  const result_bytes = await sizeOf(outputs, run)
  if (result_bytes <= input_bytes) return null
  const measured = await runSteps(copy.steps, run, () => {}).catch((error: unknown) => {
    // The encoded result is valid even if the copy is impossible or exceeds a limit.
    if (error instanceof JobFailure) return null
    throw error
  })
  const copy_bytes = await sizeOf(copy.outputs, run)
  if (measured === null || copy_bytes === 0 || copy_bytes >= result_bytes) return null
  return { plan: { ...copy, body: { ...copy.body, input_kept: true } }, measured }
}

/**
 * Returns the size of the first output. A missing file counts as empty here and is reported where the result is
 * measured.
 */
async function sizeOf([{ file }]: Plan['outputs'], { folder }: Run): Promise<number> {
  const written = await stat(fileIn(folder, file)).catch(() => null)
  return written?.size ?? 0
}
