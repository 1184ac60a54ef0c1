import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { signWebhook } from '../client/node/index.ts'
import { makeSamples } from '../dev/demo/samples.ts'
import { findFreePorts } from '../dev/system/ports.ts'
import { ROOT } from '../dev/system/root.ts'
import { useChromium } from './support/chromium.ts'
import { makeTestFolder } from './support/folder.ts'
import { openKey } from './support/media.ts'
import { runScript } from './support/run-script.ts'

/** Runs the programs in examples/ as a reader would. */
const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()
const photo = join(folder, 'photo.jpg')
let env: Record<string, string>

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

beforeAll(async () => {
  await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#884422' } })
    .jpeg()
    .toFile(photo)
  const { apiUrl, apiKey } = await openKey(system)
  env = { MEDIA_API_URL: apiUrl, MEDIA_API_KEY: apiKey, MEDIA_WEBHOOK_SECRET: SECRET }
})

const commandOf = (name: string, ...args: string[]) => [
  process.execPath,
  join(ROOT, 'examples', name),
  ...args,
]

/** Starts an example that runs until it is stopped. @returns a function that reads the output so far */
async function startExample(name: string, args: string[], more: Record<string, string> = {}) {
  const [program = '', ...rest] = commandOf(name, ...args)
  const child: ChildProcess = spawn(program, rest, { cwd: folder, env: { ...process.env, ...env, ...more } })
  onTestFinished(() => {
    child.kill()
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  return () => text
}

test('resize-on-upload resizes what is put into its folder', async () => {
  for (const name of ['inbox', 'outbox']) mkdirSync(join(folder, name))
  const printed = await startExample('resize-on-upload.ts', ['inbox', 'outbox'])
  copyFileSync(photo, join(folder, 'inbox/a.jpg'))
  await expect.poll(printed).toContain('a.jpg: 800 x 600')
  expect(await sharp(join(folder, 'outbox/a.jpg')).metadata()).toMatchObject({ width: 800 })
})

test('video-to-subtitles saves the subtitles beside the video', async () => {
  const talk = (await makeSamples(join(folder, 'samples'))).get('talk') ?? ''
  const output = await runScript(commandOf('video-to-subtitles.ts', talk), { cwd: folder, env })
  expect(output.trim().split(' ').length).toBeGreaterThan(5)
  expect(existsSync(`${talk}.srt`)).toBe(true)
})

test('webhook-receiver accepts signed events once, and refuses others', async () => {
  const { payments: port } = await findFreePorts()
  const printed = await startExample('webhook-receiver.ts', [], { PORT: String(port) })
  await expect.poll(printed).toContain('Waiting')
  const body = JSON.stringify({ type: 'job.failed', data: { id: 'job-1', status: 'failed' } })
  const send = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).then(({ status }) => status)
  const signed = await signWebhook(body, { id: 'event-1', secret: SECRET })
  expect([await send(signed), await send(signed)]).toEqual([204, 204])
  expect(await send({ ...signed, 'webhook-signature': 'v1,AAAA' })).toBe(400)
  await expect.poll(printed).toContain('job.failed job-1 failed')
  expect(printed().split('job-1').length).toBe(2)
})

test('batch-with-template processes several photos and saves the results', async () => {
  copyFileSync(photo, join(folder, 'b.jpg'))
  copyFileSync(photo, join(folder, 'c.jpg'))
  await runScript(commandOf('batch-with-template.ts', 'b.jpg', 'c.jpg'), { cwd: folder, env })
  const saved = (await readdir(folder)).filter((name) => name.startsWith('square-'))
  expect(saved).toHaveLength(2)
  expect(await sharp(join(folder, saved[0] ?? '')).metadata()).toMatchObject({ width: 1080, height: 1080 })
})

test('browser-upload sends a photo from the browser to storage and shows the result', async () => {
  const { payments: port } = await findFreePorts()
  const printed = await startExample('browser-upload.ts', [], { PORT: String(port) })
  await expect.poll(printed).toContain('Open')
  const page = await browser().newPage()
  await page.goto(`http://127.0.0.1:${port}`)
  await page.locator('input').setInputFiles(photo)
  await expect.poll(() => page.locator('output').textContent()).toMatch(/^http/)
  const result = await fetch((await page.locator('output').textContent()) ?? '')
  expect(await sharp(await result.arrayBuffer()).metadata()).toMatchObject({ width: 320 })
  await page.close()
})
