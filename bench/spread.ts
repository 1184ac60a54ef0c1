import { makeClip, tone } from '../media-backend/testing/clips.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { type Measure, measureBoth } from './measure.ts'

const CLIP_SECONDS = 60
const WAIT_MS_MAX = 600_000
/** An upload of this size goes straight to the long lane. */
const LONG_BYTES = 64 * 1024 * 1024

const LONG_ONLY = {
  ...{ IMAGE_CONCURRENCY: '0', QUICK_CONCURRENCY: '0', LINK_CONCURRENCY: '0', LONG_CONCURRENCY: '1' },
  LOCK_SECONDS: '30',
}

/** Time of one encode that two processes share, each held to one core, against one such process. */
export const lanesSpread: Measure = {
  name: 'lanes-spread',
  title: `video/compress of ${CLIP_SECONDS} s of 720p by two fleet processes with one core each, against one of them`,
  unit: 's',
  goal: 0.6,
  direction: 'at most',
  needsSystem: false,
  rounds: 2,
  async open() {
    const clip = await makeClip('spread-720p.mp4', [
      ...[
        '-f',
        'lavfi',
        '-i',
        `testsrc2=duration=${CLIP_SECONDS}:size=1280x720:rate=30,noise=alls=12:allf=t`,
      ],
      ...[
        ...tone(CLIP_SECONDS),
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-crf',
        '23',
        '-pix_fmt',
        'yuv420p',
      ],
      ...['-g', '60', '-c:a', 'aac'],
    ])
    const context = await startTestContext()
    return {
      round: (order) =>
        measureBoth(
          order,
          () => timeEncode(context, clip, [0, 1]),
          () => timeEncode(context, clip, [0]),
        ),
      close: context.close,
    }
  },
}

/** Returns the seconds from the submit of a job to its final report. */
async function timeEncode(context: TestContext, clip: Buffer, cores: readonly number[]): Promise<number> {
  const SPREAD_SECONDS_MIN = cores.length > 1 ? String(CLIP_SECONDS) : '0'
  const variables = { ...context.variables, ...LONG_ONLY, SPREAD_SECONDS_MIN }
  const fleets = await Promise.all(cores.map((core) => spawnFleet(variables, core)))
  try {
    const dispatch = context.dispatch(clip, {
      ...{ job_id: `bench-${crypto.randomUUID()}`, filename: 'clip.mp4', input_bytes: LONG_BYTES },
      ...{ service_slug: 'video', operation_key: 'compress', params: { crf: 28 } },
    })
    const start_ms = performance.now()
    await context.post(fleets[0]?.port ?? 0, '/jobs', { jobs: [dispatch] })
    const { outcome } = await context.edge.waitForFinished(dispatch.job_id, WAIT_MS_MAX)
    if (outcome.status === 'failed') throw new Error(outcome.error)
    const seconds = (performance.now() - start_ms) / 1000
    console.log(
      `Cores ${cores.join(' and ')}: ${seconds.toFixed(1)} s, processing time ${outcome.processing_seconds.toFixed(1)} s`,
    )
    return seconds
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.end('SIGTERM')))
  }
}
