import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Media } from '../../client/node/index.ts'
import { fetchThrough } from '../support/cut-connection.ts'
import { makeTestFolder } from '../support/folder.ts'
import { openKey } from '../support/media.ts'
import { type Line, openLine } from '../system/line.ts'

const system = inject('system')
const { api_url } = system
const folder = makeTestFolder()
/** Size above the limit of a single PUT, so the file is uploaded in 12 parts of 5 MiB. */
const BYTES = 56 * 1024 ** 2
const FAILURES = 3

let line: Line
let file: string
let sha256: string
let key: { apiUrl: string; apiKey: string }

beforeAll(async () => {
  line = await openLine(Number(new URL(api_url).port))
  file = join(folder, 'large.bin')
  const bytes = randomBytes(BYTES)
  sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeFile(file, bytes)
  key = await openKey(system)
})
afterAll(() => line.close())

async function hashOf(url: string): Promise<string> {
  const response = await fetch(url)
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex')
}

test('a large upload survives a cut connection, and only the parts in flight are sent again', async () => {
  let failures = 0
  const media = new Media({
    ...key,
    fetch: fetchThrough(line, () => {
      if (++failures === FAILURES) line.restore()
    }),
  })
  let is_cut = false
  let highest = 0
  let lowest_after_cut = 1
  const { url } = await media.uploads.file(file, {
    onProgress: ({ fraction }) => {
      highest = Math.max(highest, fraction)
      if (is_cut) lowest_after_cut = Math.min(lowest_after_cut, fraction)
      if (is_cut || fraction < 0.6) return
      is_cut = true
      line.cut()
    },
  })
  expect(failures).toBeGreaterThanOrEqual(FAILURES)
  expect(highest).toBe(1)
  expect(lowest_after_cut).toBeGreaterThan(0.2)
  expect(await hashOf(url)).toBe(sha256)
})

test('a stream of unknown length is uploaded in parts', { tags: ['extended'] }, async () => {
  const { url } = await new Media(key).uploads.file(createReadStream(file), { filename: 'stream.bin' })
  expect(url).toContain('stream.bin')
  expect(await hashOf(url)).toBe(sha256)
})

test('an upload that is aborted leaves no parts behind', async () => {
  const abort = new AbortController()
  const aborted: string[] = []
  const media = new Media({
    ...key,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (String(input).endsWith('/multipart/abort')) aborted.push(String(response.status))
      return response
    },
  })
  const onProgress = ({ fraction }: { fraction: number }) => {
    if (fraction > 0.3) abort.abort()
  }
  const uploading = media.uploads.file(file, { signal: abort.signal, onProgress })
  await expect(uploading).rejects.toMatchObject({ name: 'AbortError' })
  expect(aborted).toEqual(['204'])
})
