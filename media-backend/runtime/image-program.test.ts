import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { runMetadata } from '../steps/metadata.ts'
import { LONE_ENVIRONMENT as environment } from '../testing/environment.ts'
import { compressedChunk, withPngChunks } from '../testing/png.ts'
import { runImageProgram } from './image-program.ts'

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
  .png()
  .toBuffer()

async function startRun(content: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-program-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'source'), content)
  return { folder, environment, signal: new AbortController().signal }
}

const limits = { memory_bytes_max: 1024 ** 3, file_bytes_max: 1024 ** 2, cpu_seconds_max: 30 }

// exiftool evaluates a Perl expression for each file, which simulates a file that needs that much time or memory.
test.each([
  ['exceeds its CPU time', 'while (1) {}', { cpu_seconds_max: 1 }, 'time_limit'],
  ['exceeds its memory', '$x = "a" x 4e9', { memory_bytes_max: 256 * 1024 ** 2 }, 'input_too_large'],
])('fails the job without a retry if a program %s', async (_what, expression, limit, error_code) => {
  const run = await startRun(png)
  const failing = runImageProgram('exiftool', ['-if', expression, 'source'], run, { ...limits, ...limit })
  await expect(failing).rejects.toMatchObject({ name: 'JobFailure', error_code })
})

test('throws the reason of the signal if a program is aborted', async () => {
  const run = { ...(await startRun(png)), signal: AbortSignal.abort(new Error('cancelled')) }
  await expect(runImageProgram('exiftool', ['-ver'], run, limits)).rejects.toThrow('cancelled')
})

test('refuses metadata that would inflate to gigabytes before a program reads it', async () => {
  const bomb = withPngChunks(png, Array<Buffer>(8).fill(compressedChunk('zTXt', 500_000_000)))
  const run = await startRun(bomb)
  const step = {
    kind: 'metadata',
    input: 'source',
    copy_from: null,
    tags: {},
    output: { file: 'out.png' },
  } as const
  await expect(runMetadata({ ...step, strip: ['place'] }, run)).rejects.toMatchObject({
    error_code: 'input_too_large',
    message: expect.stringMatching(/^The metadata of the PNG exceeds 32 MB/),
  })
  // If all metadata is removed, nothing is inflated.
  await expect(runMetadata({ ...step, strip: 'all' }, run)).resolves.toMatchObject({ width: 8 })
})
