/** @module-tag extended */

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { Media, type UploadHandle, type UploadOptions } from '../../client/node/index.ts'
import type { UploadOutcome } from '../browser/client-page.ts'
import { useChromium } from '../support/chromium.ts'
import { openKey } from '../support/media.ts'

const system = inject('system')
const browser = useChromium()
const MEBIBYTE = 1024 ** 2
const PART_BYTES = 5 * MEBIBYTE
/** Six parts, the last one smaller. */
const BYTES = 28 * MEBIBYTE
/** Four parts are sent at a time, so at least one is complete at this progress. */
const PAUSE_AT = 0.75

let key: { apiUrl: string; apiKey: string }
beforeAll(async () => {
  key = await openKey(system)
})

/** A client that records the paths of its requests, and the handle of its upload. */
function openRecorder(options: { onResponse?: (path: string) => void } = {}) {
  const requests: string[] = []
  const handles: (UploadHandle | null)[] = []
  const media = new Media({
    ...key,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input))
      const response = await fetch(input, init)
      requests.push(search.includes('partNumber=') ? 'part' : pathname.replace('/api/v1/uploads/', ''))
      options.onResponse?.(pathname)
      return response
    },
  })
  const upload = (bytes: Uint8Array<ArrayBuffer>, uploading: UploadOptions = {}) =>
    media.uploads.file(bytes, { onHandle: (handle) => handles.push(handle), ...uploading })
  return { upload, requests, handles, countParts: () => requests.filter((each) => each === 'part').length }
}

/** Starts an upload and pauses it when some of its parts are sent. */
async function startAndPause(bytes: Uint8Array<ArrayBuffer>): Promise<UploadHandle> {
  const { upload, handles } = openRecorder()
  const pause = new AbortController()
  const onProgress = ({ fraction }: { fraction: number }) => {
    if (fraction > PAUSE_AT) pause.abort()
  }
  await expect(upload(bytes, { signal: pause.signal, onProgress })).rejects.toMatchObject({
    name: 'AbortError',
  })
  const [handle] = handles
  if (!handle) throw new Error('The upload has no handle.')
  expect(handles).toEqual([handle])
  return JSON.parse(JSON.stringify(handle))
}

async function hashOf(url: string): Promise<string> {
  return sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

describe('an upload with a handle', () => {
  test('that is paused continues with the parts that storage does not have', async () => {
    const bytes = new Uint8Array(randomBytes(BYTES))
    const handle = await startAndPause(bytes)
    const { upload, handles, requests, countParts } = openRecorder()
    const fractions: number[] = []
    const { url } = await upload(bytes, { handle, onProgress: ({ fraction }) => fractions.push(fraction) })
    expect(await hashOf(url)).toBe(sha256(bytes))
    expect(handles).toEqual([handle, null])
    expect(requests).not.toContain('multipart/create')
    expect(countParts()).toBeLessThan(handle.part_count)
    expect(fractions[0]).toBeGreaterThan(0)
    expect(fractions.at(-1)).toBe(1)
  })

  test('of which the last response was lost returns its file without sending it again', async () => {
    const bytes = new Uint8Array(randomBytes(6 * MEBIBYTE))
    const lost = new AbortController()
    const first = openRecorder({
      onResponse: (path) => {
        if (path.endsWith('/complete')) lost.abort()
      },
    })
    await expect(first.upload(bytes, { signal: lost.signal })).rejects.toMatchObject({ name: 'AbortError' })
    const second = openRecorder()
    const { url } = await second.upload(bytes, { handle: first.handles[0] })
    expect([second.countParts(), second.handles]).toEqual([0, [null]])
    expect(await hashOf(url)).toBe(sha256(bytes))
  })

  test('of another account, or that has expired, starts again', async () => {
    const bytes = new Uint8Array(randomBytes(BYTES))
    const handle = { ...(await startAndPause(bytes)), upload_id: 'unknown' }
    const { upload, handles, countParts } = openRecorder()
    const { url } = await upload(bytes, { handle })
    expect(handles).toEqual([expect.objectContaining({ size_bytes: BYTES }), null])
    expect(handles[0]).not.toEqual(handle)
    expect(countParts()).toBe(handle.part_count)
    expect(await hashOf(url)).toBe(sha256(bytes))
  })

  test('refuses a file of another size or with another content, and keeps the handle', async () => {
    const handle = await startAndPause(new Uint8Array(BYTES))
    const { upload, handles, requests } = openRecorder()
    for (const other of [new Uint8Array(BYTES - 1), new Uint8Array(BYTES).fill(1)]) {
      await expect(upload(other, { handle })).rejects.toThrow(TypeError)
    }
    expect([handles, requests]).toEqual([[], []])
  })

  test('that the service refuses is deleted, and cannot be continued', async () => {
    const image = new Uint8Array(6 * MEBIBYTE)
    image.set(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )
    const { upload, handles, requests } = openRecorder()
    await expect(upload(image, { contentType: 'video/mp4' })).rejects.toMatchObject({ status: 415 })
    expect([handles.at(-1), requests.at(-1)]).toEqual([null, 'multipart/abort'])
  })

  test('of a small file is sent whole', async () => {
    const { upload, handles, requests } = openRecorder()
    await upload(new Uint8Array(MEBIBYTE))
    expect([handles, requests[0]]).toEqual([[], 'presign'])
  })
})

test('an upload in a browser shows its progress within a part, and continues after a reload', async () => {
  const script = join(import.meta.dirname, '../browser/client-page.ts')
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, format: 'iife', write: false })
  const page = await browser().newPage({ bypassCSP: true })
  onTestFinished(() => page.close())
  const session = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20 * MEBIBYTE }
  await session.send('Network.emulateNetworkConditions', slow)
  const open = async () => {
    await page.goto(`${system.api_url}/api/health`)
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  }
  const upload = (pauseAt: number): Promise<UploadOutcome> =>
    page.evaluate(`uploadFile(...${JSON.stringify([key.apiUrl, key.apiKey, BYTES, pauseAt])})`)

  await open()
  const first = await upload(PAUSE_AT)
  expect(first.url).toBeNull()
  const within_part = first.fractions.filter((fraction) => (fraction * BYTES) % PART_BYTES !== 0)
  expect(within_part.length).toBeGreaterThan(4)

  await open()
  const second = await upload(2)
  expect(second.storage_requests).toBeLessThan(6)
  expect(second.fractions[0]).toBeGreaterThan(0)
  expect(await hashOf(second.url ?? '')).toBe(sha256(new Uint8Array(BYTES).fill(7)))
})
