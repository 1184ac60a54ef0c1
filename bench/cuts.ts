import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnvironment } from '../media-backend/environment.ts'
import { probeVideo } from '../media-backend/probe/probe.ts'
import { measureCutPackets } from '../media-backend/probe/timing/cut-packets.ts'
import type { Run } from '../media-backend/runtime/run.ts'
import { runPlan } from '../media-backend/steps/plan.ts'
import { trim } from '../shared/operations/video/trim.ts'
import type { MediaProbe } from '../shared/planning/facts.ts'
import type { Plan } from '../shared/planning/operation.ts'
import { SOURCE } from '../shared/planning/steps.ts'
import { type HourCoding, makeHour } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'

/** Ten minutes that start and end between keyframes. */
const RANGE = { start: 1497.3, duration: 600 }
/** The hour repeats a segment of half a minute, so every two minutes of it take the same time to encode. */
const REFERENCE_PARTS = 5

/**
 * Compares a precise cut that copies most frames, from its facts to its check, with the encode of the same range, of
 * which one part is encoded. The check fails if a frame outside the seams is not identical to its source, so an SSIM of
 * 1 there needs no measure.
 */
function measureCuts(name: string, coding: HourCoding, video: string): Measure {
  return {
    name,
    title: `video/trim of ten minutes out of an hour of ${video}, checked, against the encode of the same range (${REFERENCE_PARTS} times a part of it)`,
    unit: 's',
    goal: 0.1,
    direction: 'at most',
    needsSystem: false,
    rounds: 2,
    async open(bench) {
      const folder = join(bench.folder, name)
      await mkdir(folder)
      await rename(await makeHour(folder, coding), join(folder, SOURCE))
      const run = runIn(folder)
      const probe = await probeVideo(join(folder, SOURCE), run)
      return {
        round: (order) =>
          measureBoth(
            order,
            () => timeCut(probe, true, run),
            async () => REFERENCE_PARTS * (await timeCut(probe, false, run)),
          ),
        close: () => rm(folder, { recursive: true, force: true }),
      }
    },
  }
}

export const cuts = measureCuts('cuts', 'closed', 'H.264')
export const cutsOpen = measureCuts('cuts-open', 'open', 'H.264 with open groups of pictures')
export const cutsHevc = measureCuts('cuts-hevc', 'hevc', 'HEVC')

async function timeCut(probe: MediaProbe, copies: boolean, run: Run): Promise<number> {
  const start = performance.now()
  const duration = copies ? RANGE.duration : RANGE.duration / REFERENCE_PARTS
  const params = trim.parameters.parse({ ...RANGE, duration })
  const cut_packets = copies ? await measureCutPackets(probe, params, run) : null
  const made = trim.plan({ params, facts: { probe, lead_seconds: 0, cut_packets } })
  if ('refused' in made) throw new Error(made.refused.message.en)
  const { plan } = await runPlan(made, run, () => {})
  if (copiedSeconds(plan) > 0 !== copies) throw new Error('The cut did not copy as expected')
  return (performance.now() - start) / 1000
}

function copiedSeconds({ body }: Plan): number {
  return typeof body?.copied_seconds === 'number' ? body.copied_seconds : 0
}

function runIn(folder: string): Run {
  const unused = 'http://127.0.0.1:1'
  const environment = parseEnvironment({
    ...{ EDGE_URL: unused, S3_ENDPOINT: unused, FLEET_KEYS: Buffer.from('unused').toString('base64') },
    ...{ S3_ACCESS_KEY_ID: 'unused', S3_SECRET_ACCESS_KEY: 'unused' },
  })
  return { folder, environment, signal: new AbortController().signal }
}
