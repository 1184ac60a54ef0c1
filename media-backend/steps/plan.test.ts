import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Plan } from '../../shared/planning/operation.ts'
import { timeLimitFailure, WorkStopped } from '../runtime/failure.ts'
import type { Run } from '../runtime/run.ts'
import { runPlan } from './plan.ts'

function writeFilePlan(file: string, content: string): Plan {
  return { encode_mode: 'encode', steps: [{ kind: 'text', file, content }], outputs: [{ file }] }
}

const ENCODED = writeFilePlan('encoded.txt', 'larger than the input')
const COPY = writeFilePlan('copy.txt', 'small')

/** Runs a plan whose result is larger than its input, and aborts it before the copy. */
async function abortCopy(reason: Error): Promise<Plan> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const limit = new AbortController()
  const run = { folder, signal: limit.signal } as Run
  const whole = { ...ENCODED, never_larger: { input_bytes: 5, copy: COPY } }
  const { plan } = await runPlan(whole, run, (percent) => percent === 100 && limit.abort(reason))
  return plan
}

test('keeps the result if the time limit is reached before the input is copied instead', async () => {
  expect((await abortCopy(timeLimitFailure())).outputs).toEqual(ENCODED.outputs)
})

test('a cancel ends the copy and the job', async () => {
  await expect(abortCopy(new WorkStopped('cancelled'))).rejects.toThrow('cancelled')
})
