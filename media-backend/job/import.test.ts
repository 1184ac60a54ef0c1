import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Answer, refuse, sendFile, startMisbehavingServer } from '../testing/misbehaving-server.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'

let runner: JobRunner
let image: Buffer

beforeAll(async () => {
  runner = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true' })
  const blank = { width: 40, height: 30, channels: 3, background: '#808080' } as const
  image = await sharp({ create: blank }).png().toBuffer()
})
afterAll(() => runner.close())

const RESIZE = { service_slug: 'image', operation_key: 'resize', params: { width: 20 } } as const

async function importFrom(...answers: Answer[]) {
  const server = await startMisbehavingServer(...answers)
  onTestFinished(() => server.close())
  return { kind: 'url' as const, url: `${server.url}/file` }
}

test('does not charge the time in which the host of the file asks to wait', async () => {
  const source = await importFrom(refuse(503, { 'retry-after': '3' }), sendFile(image))
  const begun_ms = performance.now()
  const { outcome } = await runner.run({ ...RESIZE, source })
  const seconds = (performance.now() - begun_ms) / 1000
  expect(seconds).toBeGreaterThan(3)
  expect(outcome.processing_seconds).toBeLessThan(seconds - 2.9)
})

const NAMED = { 'content-disposition': "attachment; filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE%20%281%29.png" }

test.each([
  ['the server', { filename: 'download' }, NAMED, 'фото (1)-resize.png'],
  ['the caller rather than the server', { filename: 'mine.png', is_named: true }, NAMED, 'mine-resize.png'],
  ['the URL if nobody else does', { filename: 'beach.png' }, {}, 'beach-resize.png'],
])('names the result after what names the file: %s', async (_who, named, headers, filename) => {
  const source = await importFrom(sendFile(image, headers))
  const { outcome } = await runner.run({ ...RESIZE, source, ...named })
  expect(outcome.files.map((file) => file.filename)).toEqual([filename])
})

test('sends the headers that the edge grants to the origin of the file only', async () => {
  const grant: Answer = (response, { url }) => {
    const access = { outcome: 'granted', url: 'https://cdn.example.org/file', address: '' }
    const granted = { ...access, headers: { authorization: 'Bearer secret' } }
    response.end(url === '/internal/storage-access' ? JSON.stringify(granted) : '{}')
  }
  const edge = await startMisbehavingServer(grant)
  const other = await startMisbehavingServer(sendFile(image))
  const host = await startMisbehavingServer((response) =>
    response.writeHead(302, { location: `${other.url}/file` }).end(),
  )
  const granted = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true', EDGE_URL: edge.url })
  onTestFinished(async () => {
    for (const server of [edge, other, host]) server.close()
    await granted.close()
  })
  const source = { kind: 'url' as const, url: `${host.url}/file`, has_headers: true }
  await granted.run({ ...RESIZE, source })
  expect(edge.requests).toHaveLength(1)
  expect(host.requests[0]?.authorization).toBe('Bearer secret')
  expect(other.requests[0]?.authorization).toBeUndefined()
})
