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

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Runs a plan whose result is larger than its input, and aborts it before the copy. */
async function abortCopy(reason: Error): Promise<Plan> {
  const folder = await makeFolder()
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

/** A cut whose parts are missing, which none of its steps expects. */
const FAILING_CUT: Plan = {
  encode_mode: 'encode',
  steps: [
    {
      kind: 'join',
      timescale: 1000,
      parts: [{ file: 'missing.mp4', start: 0, earliest: 0, encoded: false }],
      end: null,
      output: { file: 'joined.mp4' },
    },
  ],
  outputs: [{ file: 'joined.mp4' }],
  fallback: ENCODED,
}

test('encodes everything after an unexpected error in a cut', async () => {
  const run = { folder: await makeFolder(), signal: new AbortController().signal } as Run
  const { plan } = await runPlan(FAILING_CUT, run, () => {})
  expect(plan.outputs).toEqual(ENCODED.outputs)
})
