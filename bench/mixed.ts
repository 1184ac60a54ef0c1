import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomOf } from '../dev/requests/random.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import type { Finished } from '../media-backend/testing/edge-server.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import { makeBenchClip, makePhoto, RESIZE_PARAMS } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'

const SEED = 1
/** Tolerance for times, which differ by that of a request. */
const MARGIN_SECONDS = 0.05
/** An upload of this size goes straight to the long lane. */
const LONG_BYTES = 64 * 1024 * 1024

type Spec = Partial<Dispatch>
type Job = readonly [input: 'photo' | 'short clip' | 'clip', spec: Spec]

const video = (operation_key: string, params: Spec['params'] = {}): Spec => ({
  service_slug: 'video',
  operation_key,
  params,
  filename: 'clip.mp4',
})

/**
 * Images, copies, encodes that one thread does most of, encodes of small frames that keep few threads busy, and
 * encodes that keep all cores busy, one of them in the long lane.
 */
const JOBS: readonly Job[] = [
  ...repeat<Job>(6, ['photo', { params: { ...RESIZE_PARAMS } }]),
  ['photo', { operation_key: 'compress', params: { format: 'webp' } }],
  ...repeat<Job>(2, ['clip', video('mute')]),
  ['clip', video('trim', { start: 1, end: 3 })],
  ...repeat<Job>(2, ['clip', video('extract_audio')]),
  ['short clip', video('gif', { duration: 1 })],
  ...repeat<Job>(2, ['clip', video('resize', { width: 256 })]),
  ['short clip', video('resize', { width: 960 })],
  ['clip', { ...video('resize', { width: 960 }), input_bytes: LONG_BYTES }],
]

/** The same order in every run. */
const QUEUE = shuffle(JOBS)

/** Time of a mixed queue in one fleet process with default settings, against the same jobs one after another. */
export const lanesMixed: Measure = {
  name: 'lanes-mixed',
  title: `${QUEUE.length} mixed jobs at once in one fleet process, against one after another`,
  unit: 's',
  goal: 0.95,
  direction: 'at most',
  needsSystem: false,
  rounds: 3,
  async open(bench) {
    const folder = join(bench.folder, 'mixed')
    await mkdir(folder)
    const inputs = {
      photo: await readFile(await makePhoto(folder)),
      'short clip': await readFile(await makeBenchClip(folder, 2)),
      clip: await readFile(await makeBenchClip(folder, 4)),
    }
    const context = await startTestContext()
    const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30', LONG_NICENESS: '10' })
    const makeDispatches = () =>
      QUEUE.map(([input, spec]) =>
        context.dispatch(inputs[input], { ...spec, job_id: `bench-${crypto.randomUUID()}` }),
      )
    return {
      async round(order) {
        const times: Partial<Record<Manner, Times>> = {}
        const measure = async (manner: Manner) => {
          const measured = await RUNS[manner](context, fleet.port, makeDispatches())
          times[manner] = measured
          console.log(`${manner}: ${describe(measured)}`)
          return measured.seconds
        }
        const round = await measureBoth(
          order,
          () => measure('together'),
          () => measure('in turn'),
        )
        const { together, 'in turn': in_turn } = times
        console.log(
          `Later than in turn: ${countLater(together?.starts, in_turn?.starts)} of ${QUEUE.length} starts, ` +
            `${countLater(together?.ends, in_turn?.ends)} ends`,
        )
        return round
      },
      async close() {
        await fleet.end('SIGTERM')
        await context.close()
      },
    }
  },
}

/** Seconds since the first submit. */
interface Times {
  /** The last final report. */
  seconds: number
  /** The start and the end of each job. */
  starts: number[]
  ends: number[]
}

const RUNS = { together: runTogether, 'in turn': runInTurn }
type Manner = keyof typeof RUNS

async function runTogether(context: TestContext, port: number, jobs: Dispatch[]): Promise<Times> {
  const ends = watchEnds(context, jobs)
  const start_ms = Date.now()
  await context.post(port, '/jobs', { jobs })
  return timesSince(start_ms, await Promise.all(ends), context)
}

async function runInTurn(context: TestContext, port: number, jobs: Dispatch[]): Promise<Times> {
  const ends = watchEnds(context, jobs)
  const start_ms = Date.now()
  for (const [index, job] of jobs.entries()) {
    await context.post(port, '/jobs', { jobs: [job] })
    await ends[index]
  }
  return timesSince(start_ms, await Promise.all(ends), context)
}

/** Returns the final report of each job, once the edge receives it. */
function watchEnds(context: TestContext, jobs: readonly Dispatch[]): Promise<Finished>[] {
  const ends = new Map(jobs.map(({ job_id }) => [job_id, Promise.withResolvers<Finished>()]))
  context.edge.answer = (report) => {
    if (report.type !== 'job.finished') return { status: 200, continue: true }
    const end = ends.get(report.job_id)
    if (report.outcome.status === 'failed') end?.reject(new Error(report.outcome.error))
    else end?.resolve(report)
    return { status: 200, continue: false }
  }
  return [...ends.values()].map(({ promise }) => promise)
}

function timesSince(start_ms: number, ends: readonly Finished[], context: TestContext): Times {
  const seconds = (Date.now() - start_ms) / 1000
  context.edge.received.length = 0
  context.storage.objects.clear()
  const sinceStart = (at: string) => (Date.parse(at) - start_ms) / 1000
  return {
    seconds,
    starts: ends.map(({ started_at }) => sinceStart(started_at)),
    ends: ends.map(({ at }) => sinceStart(at)),
  }
}

function countLater(ours: readonly number[] = [], reference: readonly number[] = []): number {
  return ours.filter((seconds, at) => seconds > (reference[at] ?? 0) + MARGIN_SECONDS).length
}

function describe({ seconds, starts, ends }: Times): string {
  const mean = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1)
  return `${seconds.toFixed(1)} s; on average, a job started after ${mean(starts)} s and ended after ${mean(ends)} s`
}

function repeat<T>(count: number, item: T): T[] {
  return Array<T>(count).fill(item)
}

function shuffle<T>(items: readonly T[]): T[] {
  const random = randomOf(SEED, 0)
  const keyed = items.map((item) => ({ item, key: random.next() }))
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
}
