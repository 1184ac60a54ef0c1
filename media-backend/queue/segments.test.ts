import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Job, Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Fleet } from '../fleet.ts'
import { makeClip, tone, turnClip, videoInput } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { carryOut } from '../testing/operate.ts'
import { waitFor } from '../testing/wait.ts'
import { prefixOf, type QueuedJob } from './queues.ts'

const execute = promisify(execFile)

/** Uploads of this size go straight to the long lane. */
const LONG_BYTES = 64 * 1024 * 1024

const LONG_ONLY = {
  ...{ IMAGE_CONCURRENCY: '0', QUICK_CONCURRENCY: '0', LINK_CONCURRENCY: '0' },
  SPREAD_SECONDS_MIN: '2',
}

let context: TestContext
let fleet: Fleet
let folder: string

beforeAll(async () => {
  context = await startTestContext()
  fleet = await context.startFleet({ ...LONG_ONLY, LONG_CONCURRENCY: '2' })
  folder = await mkdtemp(join(tmpdir(), 'fleet-segments-'))
})
afterAll(async () => {
  await context.close()
  await rm(folder, { recursive: true, force: true })
})

const SECONDS = 2
/** Keyframes make three segments. */
const KEYFRAMES = '18'
const FAST = ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const H264 = ['-c:v', 'libx264', ...FAST, '-g', KEYFRAMES]

function clip(name: string, encoder: readonly string[], ...more: string[]): Promise<Buffer> {
  return makeClip(name, [...videoInput(SECONDS), ...tone(SECONDS), ...encoder, '-c:a', 'aac', ...more])
}

const constant = () => clip('constant.mp4', [...H264, '-bf', '2'])

/** Lists what a player shows: the time of each frame, all packets of audio, and all properties but the bit rates. */
async function describeResult(path: string): Promise<string[]> {
  const show = async (...options: string[]) =>
    (await execute('ffprobe', ['-v', 'error', '-of', 'compact', ...options, path])).stdout.split('\n')
  const frames = await show('-show_streams', '-show_entries', 'packet=stream_index,pts,duration')
  const audio = await show(
    ...['-select_streams', 'a', '-show_data_hash', 'crc32', '-show_entries', 'packet=pts,data_hash'],
  )
  return [...frames.map((line) => line.replace(/\|bit_rate=\d+/, '')), ...audio].sort()
}

/** Returns the lowest similarity of two frames that are displayed at the same time. */
async function similarity(one: string, other: string): Promise<number> {
  const graph = '[0:v][1:v]ssim=stats_file=-'
  const { stdout } = await execute('ffmpeg', [
    ...['-v', 'error', '-i', one, '-i', other, '-filter_complex', graph, '-f', 'null', '-'],
  ])
  return Math.min(...[...stdout.matchAll(/All:(\S+)/g)].map(([, value]) => Number(value)))
}

/** Runs a job and counts the segments that went through the storage. */
async function shareEncode(input: Buffer, spec: Partial<Dispatch>) {
  const dispatch = context.dispatch(input, {
    ...{ service_slug: 'video', input_bytes: LONG_BYTES, filename: 'clip.mp4', ...spec },
  })
  const { outcome } = await context.run(fleet.port, dispatch)
  if (outcome.status === 'failed') throw new Error(outcome.error)
  const path = join(folder, `${dispatch.job_id}.mp4`)
  await writeFile(path, context.storage.objects.get(outcome.files[0]?.key ?? '') ?? '')
  return { outcome, path, segments: segmentsOf(dispatch).length }
}

/** Lists the segments of a job that went through the storage. */
function segmentsOf({ job_id }: Dispatch): string[] {
  return [...context.storage.headers.keys()].filter((key) => key.startsWith(`segments/result-of-${job_id}/`))
}

test.each<[string, () => Promise<Buffer>, string, Record<string, unknown>]>([
  ['H.264 with reordered frames', constant, 'compress', { preset: 'medium', crf: 30 }],
  [
    'Matroska that starts late, at a broadcast rate',
    () => clip('broadcast.mkv', [...H264, '-bf', '2', '-r', '30000/1001', '-fps_mode', 'cfr']),
    'resize',
    { width: 80 },
  ],
  [
    'HEVC with open groups, with copied audio',
    () =>
      clip('hevc.mp4', [
        ...['-c:v', 'libx265', ...FAST],
        ...['-x265-params', `log-level=error:keyint=${KEYFRAMES}:open-gop=1`],
      ]),
    'convert',
    { vcodec: 'libx264' },
  ],
  ['a video turned by its metadata', async () => turnClip(await constant()), 'resize', { width: 90 }],
  ['a silent video', () => clip('silent.mp4', H264, '-an'), 'blur_bg', { resolution: 144 }],
])(
  'makes the same result of %s as one worker',
  { tags: ['extended'] },
  async (_name, makeInput, operation_key, params) => {
    const input = await makeInput()
    const whole = await carryOut(input, [operation_key, params])
    const shared = await shareEncode(input, { operation_key, params })
    expect(shared.segments).toBeGreaterThan(2)
    expect(await describeResult(shared.path)).toEqual(await describeResult(whole.path))
    expect(await similarity(shared.path, whole.path)).toBeGreaterThan(0.8)
    await waitFor('the segments to be deleted', () =>
      [...context.storage.objects.keys()].every((key) => !key.startsWith('segments/')),
    )
  },
)

test('encodes all segments with the rate factor that the worker of the job has found', async () => {
  // The search needs about this many frames, and these take little time to encode.
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=28:size=640x360:rate=25']
  const input = await makeClip('searched.mp4', [...source, '-c:v', 'libx264', ...FAST, '-g', '250'])
  const { path, segments, outcome } = await shareEncode(input, { operation_key: 'compress', params: {} })
  expect(segments).toBe(3)
  expect(outcome).not.toHaveProperty('body.input_kept')
  // x264 writes its options into the first frame of each segment.
  const rates = [...(await readFile(path, 'latin1')).matchAll(/ crf=([\d.]+)/g)].map(([, rate]) =>
    Number(rate),
  )
  expect(rates).toHaveLength(3)
  expect(new Set(rates).size).toBe(1)
  expect(rates[0]).toBeGreaterThan(28)
})

test('encodes a video in one piece that is short or whose frames are irregular', async () => {
  const compress = { operation_key: 'compress', params: { preset: 'ultrafast', crf: 30 } }
  const short = await makeClip('short.mp4', [...videoInput(1), ...H264])
  const dropped = await clip('dropped.mp4', [...H264, '-vf', "select='not(eq(n,30))'", '-fps_mode', 'vfr'])
  for (const input of [short, dropped]) expect((await shareEncode(input, compress)).segments).toBe(0)
})

test('ends a shared encode whose segments together exceed the size limit, before it encodes the rest', async () => {
  const small = await context.startFleet({
    ...{ ...LONG_ONLY, LONG_CONCURRENCY: '1', REDIS_URL: `${context.redis.url}/1` },
    // The last segment has 61 kB, the others 85 and 80.
    OUTPUT_BYTES_MAX: '120000',
  })
  const dispatch = context.dispatch(await constant(), {
    ...{ service_slug: 'video', operation_key: 'compress', params: { preset: 'ultrafast', crf: 1 } },
    ...{ input_bytes: LONG_BYTES, filename: 'clip.mp4' },
  })
  const { outcome } = await context.run(small.port, dispatch)
  expect(outcome).toMatchObject({ status: 'failed', error_code: 'output_too_large' })
  expect(segmentsOf(dispatch)).toHaveLength(2)
})

const OTHER_SECONDS = 100

/** A worker of another machine that encodes segments as a test says. It begins when the fleet has begun the job. */
async function startHelper(url: string, process: (job: Job<QueuedJob>, redis: Redis) => Promise<unknown>) {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  const lane = { connection: redis, prefix: prefixOf('long') }
  const queue = new Queue('long', lane)
  const helper = new Worker<QueuedJob>('long', (job) => process(job, redis), { ...lane, autorun: false })
  await helper.waitUntilReady()
  onTestFinished(async () => {
    await helper.close(true)
    await queue.close()
    redis.disconnect()
  })
  return async (job_id: string) => {
    await waitFor('the job to begin', async () => (await queue.getJobState(job_id)) === 'active')
    void helper.run()
  }
}

async function failSlowly() {
  const now_ms = Date.now()
  const time = { started_ms: now_ms - OTHER_SECONDS * 1000, ended_ms: now_ms, cores: 'another machine/0' }
  return { status: 'failed', error: 'planted', ...time }
}

/** Encodes for a long time when the job ends. */
function hang({ id }: Job<QueuedJob>, redis: Redis): Promise<unknown> {
  return redis
    .hset(`${prefixOf('long')}:long:${id}`, 'processedOn', Date.now() - OTHER_SECONDS * 1000)
    .then(() => new Promise(() => {}))
}

test.each([
  ['that failed, before the whole video fails', failSlowly, '120000', 2],
  ['that still runs when the job fails', hang, '120000', 3],
  ['that failed only if the job fails, which encodes the whole video', failSlowly, '10000000', 4],
] as const)(
  'counts the time of another worker with a segment %s',
  async (_what, process, OUTPUT_BYTES_MAX, database) => {
    const REDIS_URL = `${context.redis.url}/${database}`
    const begin = await startHelper(REDIS_URL, process)
    const own = { ...LONG_ONLY, LONG_CONCURRENCY: '1', REDIS_URL, OUTPUT_BYTES_MAX }
    const { port } = await context.startFleet(own)
    const dispatch = context.dispatch(await constant(), {
      ...{ service_slug: 'video', operation_key: 'compress', params: { preset: 'ultrafast', crf: 1 } },
      ...{ input_bytes: LONG_BYTES, filename: 'clip.mp4' },
    })
    await context.post(port, '/jobs', { jobs: [dispatch] })
    await begin(dispatch.job_id)
    const { outcome } = await context.edge.waitForFinished(dispatch.job_id)
    const counted = Math.floor((outcome.processing_seconds ?? 0) / OTHER_SECONDS)
    expect([outcome.status, counted >= 1]).toEqual(database === 4 ? ['done', false] : ['failed', true])
  },
)
