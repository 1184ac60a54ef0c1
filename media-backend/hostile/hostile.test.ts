import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAILURES } from '../../shared/failures/failures.ts'
import type { ErrorCode } from '../../shared/protocol/job-report.ts'
import type { Fleet } from '../fleet.ts'
import { hugePng } from '../testing/bombs.ts'
import { audioOnly, photo, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { countProcesses } from '../testing/processes.ts'

let context: TestContext
let fleet: Fleet

beforeAll(async () => {
  context = await startTestContext()
  fleet = await context.startFleet()
})
afterAll(() => context.close())

const text = (content: string) => async () => Buffer.from(content)
const SECRET = '/etc/hostname'

const PLAYLIST = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://${SECRET}\n#EXT-X-ENDLIST\n`
const REMOTE_PLAYLIST = '#EXTM3U\n#EXTINF:10.0,\nhttp://127.0.0.1:1/inside\n#EXT-X-ENDLIST\n'
const CONCAT = `ffconcat version 1.0\nfile '${SECRET}'\n`
const DASH = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>file://${SECRET}</BaseURL></Representation></AdaptationSet></Period></MPD>`
const SDP =
  'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file://${SECRET}"/></svg>`

const VIDEOS: [string, () => Promise<Buffer>, ErrorCode][] = [
  ['a playlist of local files', text(PLAYLIST), 'input_unreadable'],
  ['a playlist of internal URLs', text(REMOTE_PLAYLIST), 'input_unreadable'],
  ['a concat script', text(CONCAT), 'input_unreadable'],
  ['a DASH manifest', text(DASH), 'input_unreadable'],
  ['a session description', text(SDP), 'input_unreadable'],
  ['an SVG', text(SVG), 'input_unreadable'],
  ['an empty file', text(''), 'input_unreadable'],
  ['a text', text('Dear service, this is no video.\n'.repeat(100)), 'input_unreadable'],
  ['an image', () => photo(64, 64), 'input_unreadable'],
  ['a truncated MP4', async () => (await video(20)).subarray(0, 40_000), 'input_unreadable'],
  ['audio only', audioOnly, 'wrong_kind'],
]

test.each(VIDEOS)('refuses %s in a video job', async (_name, make, error_code) => {
  const spec = {
    service_slug: 'video',
    operation_key: 'compress',
    params: {},
    filename: 'clip.mp4',
  } as const
  await expectRefusal(context.dispatch(await make(), spec), error_code)
})

const IMAGES: [string, () => Promise<Buffer>, ErrorCode][] = [
  ['an SVG named .png', text(SVG), 'input_unreadable'],
  ['a truncated JPEG', async () => (await photo()).subarray(0, 20_000), 'input_unreadable'],
  ['a PNG of huge dimensions', async () => hugePng(30_000, 30_000), 'input_too_large'],
  ['a PNG that declares more pixels than it contains', async () => hugePng(4000, 4000), 'input_unreadable'],
  ['an empty file', text(''), 'input_unreadable'],
  ['a PDF', text('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF'), 'input_unreadable'],
  ['a text', text('not an image'), 'input_unreadable'],
  ['a video', () => video(20), 'input_unreadable'],
]

test.each(IMAGES)('refuses %s in an image job', async (_name, make, error_code) => {
  await expectRefusal(context.dispatch(await make(), { filename: 'image.png' }), error_code)
})

test('ends an encode whose output exceeds the size limit', async () => {
  const small = await context.startFleet({ OUTPUT_BYTES_MAX: '100000', REDIS_URL: `${context.redis.url}/1` })
  const spec = { service_slug: 'video', operation_key: 'compress', params: { crf: 1 } } as const
  await expectRefusal(context.dispatch(await video(20), spec), 'output_too_large', small)
})

test('ends a job that exceeds the time limit', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hasty = await context.startFleet({
    ...{ JOB_SECONDS_MAX: '1', ALLOW_PRIVATE_SOURCES: 'true' },
    REDIS_URL: `${context.redis.url}/2`,
  })
  const source = { kind: 'url', url: `http://127.0.0.1:${port}/never` } as const
  const { error } = await expectRefusal(context.dispatch(await photo(), { source }), 'time_limit', hasty)
  expect(error).toBe(FAILURES.time_limit.text.en)
  server.closeAllConnections()
  server.close()
})

test('names the parameter that cannot be met, without a retry', async () => {
  const convert = { operation_key: 'convert', params: { format: 'png', max_kb: 1 } }
  const outcome = await expectRefusal(context.dispatch(await photo(), convert), 'parameter_refused')
  expect(outcome.error).toMatch(/^max_kb: /)
  const unknown = { operation_key: 'resize', params: { width: 'wide' } }
  expect((await expectRefusal(context.dispatch(await photo(), unknown), 'parameter_refused')).error).toMatch(
    /^width: /,
  )
})

test('reports an input that is no longer in storage', async () => {
  const dispatch = context.dispatch(await photo(), {})
  context.storage.objects.delete(`uploads/${dispatch.job_id}`)
  await expectRefusal(dispatch, 'download_failed')
})

test('refuses an import from a private address', async () => {
  const source = { kind: 'url', url: `${context.storage.url}/media-files/uploads/x` } as const
  await expectRefusal(context.dispatch(await photo(), { source }), 'download_failed')
})

/** Expects a failure on the first attempt, with a message for users, and no files or processes left behind. */
async function expectRefusal(dispatch: Parameters<TestContext['run']>[1], error_code: ErrorCode, on = fleet) {
  const { outcome, fence } = await context.run(on.port, dispatch)
  if (outcome.status !== 'failed') throw new Error('the job was not refused')
  expect(outcome.error_code).toBe(error_code)
  expect(outcome.error).toMatch(/^[A-Za-z_]+.*\.$/)
  expect(outcome.error).not.toMatch(/ffmpeg|sharp|vips|\/tmp|source/i)
  // A job that is handed over to the long lane counts its attempts from 1501.
  expect([1001, 1501]).toContain(fence)
  await context.waitForEmptyFolder()
  expect(await countProcesses('', `${context.work_directory}/${dispatch.job_id}-`)).toBe(0)
  return outcome
}
