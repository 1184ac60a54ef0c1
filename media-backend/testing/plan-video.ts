import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOperation } from '../../shared/operations/index.ts'
import type { FactName, Facts, MediaProbe } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { planPipeline } from '../../shared/planning/pipeline.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import { parseEnvironment } from '../environment.ts'
import { findTrackSilences } from '../probe/audio/silences.ts'
import { readTranscript } from '../probe/audio/transcript.ts'
import { probeVideo } from '../probe/probe.ts'
import type { Run } from '../runtime/run.ts'

/**
 * Plans a video operation on a file as a job does, and runs work in the folder of the job. Knows no packets, so cuts
 * encode all that they keep.
 */
export async function planVideo<T>(
  path: string,
  [key, params]: [key: string, params: Record<string, unknown>],
  work: (plan: Plan, run: Run, probe: MediaProbe) => Promise<T>,
): Promise<T> {
  const operation = findOperation('video', key)
  if (operation === undefined) throw new Error(`there is no video/${key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(valid.refused.message.en)
  const folder = await mkdtemp(join(tmpdir(), 'fleet-video-'))
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  const run = { folder, environment, signal: new AbortController().signal }
  try {
    await copyFile(path, join(folder, SOURCE))
    const probe = await probeVideo(join(folder, SOURCE), run)
    const plan = planPipeline([{ operation, params: valid.params }], {
      ...{ probe, assets: {}, cut_packets: null, video_packets: null },
      ...(await listen(operation.facts, probe, valid.params, run)),
    } as unknown as Facts)
    if ('refused' in plan) throw new Error(plan.refused.message.en)
    return await work(plan, run, probe)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function listen(
  facts: readonly FactName[],
  probe: MediaProbe,
  params: Record<string, unknown>,
  run: Run,
): Promise<Pick<Partial<Facts>, 'transcript' | 'silences'>> {
  return {
    ...(facts.includes('transcript') && { transcript: await readTranscript(probe, params, run, () => {}) }),
    ...(facts.includes('silences') && { silences: await findTrackSilences(probe, run) }),
  }
}
