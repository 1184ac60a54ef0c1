import { join } from 'node:path'
import { build } from 'esbuild'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import { useChromium } from '../support/chromium.ts'
import { openKey } from '../support/media.ts'

const system = inject('system')
const { api_url } = system
const browser = useChromium()
let key: { apiUrl: string; apiKey: string }
let photo: Uint8Array<ArrayBuffer>
let worker: Awaited<ReturnType<typeof unstable_startWorker>>

beforeAll(async () => {
  key = await openKey(system)
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#abcdef' } })
  photo = new Uint8Array(await image.png().toBuffer())
  worker = await unstable_startWorker({
    config: join(import.meta.dirname, 'worker/wrangler.json'),
    dev: { server: { hostname: '127.0.0.1', port: 0 }, inspector: false, watch: false, logLevel: 'error' },
  })
})
afterAll(() => worker.dispose())

test('the client runs a job inside a Worker', async () => {
  const response = await worker.fetch('http://worker/', {
    method: 'POST',
    headers: { 'x-api-url': key.apiUrl, 'x-api-key': key.apiKey },
    body: photo,
  })
  expect([response.status, response.headers.get('x-width')]).toEqual([200, '32'])
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 32, height: 24 })
})

test('the client runs a job in a browser', async () => {
  const script = join(import.meta.dirname, '../browser/client-page.ts')
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, format: 'iife', write: false })
  // A page of the API's own origin, into which the test puts a script.
  const page = await browser().newPage({ bypassCSP: true })
  await page.goto(`${api_url}/api/health`)
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  const values = [key.apiUrl, key.apiKey, Buffer.from(photo).toString('base64')]
  const printed = await page.evaluate(`resizeImage(...${JSON.stringify(values)})`)
  expect(printed).toEqual({
    type: 'image/png',
    width: 32,
    height: 24,
    phases: ['uploading', 'queued', 'processing'],
  })
  await page.close()
})
