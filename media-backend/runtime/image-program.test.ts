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

// exiftool runs an expression of Perl for each file: here it stands for a file that takes as long, or as much.
test.each([
  ['computes for too long', 'while (1) {}', { cpu_seconds_max: 1 }, 'time_limit'],
  ['takes too much memory', '$x = "a" x 4e9', { memory_bytes_max: 256 * 1024 ** 2 }, 'input_too_large'],
])(
  'a program that %s fails the job, and is not tried again',
  async (_what, expression, limit, error_code) => {
    const run = await startRun(png)
    const failing = runImageProgram('exiftool', ['-if', expression, 'source'], run, { ...limits, ...limit })
    await expect(failing).rejects.toMatchObject({ name: 'JobFailure', error_code })
  },
)

test('a program that is aborted throws the reason of the signal', async () => {
  const run = { ...(await startRun(png)), signal: AbortSignal.abort(new Error('cancelled')) }
  await expect(runImageProgram('exiftool', ['-ver'], run, limits)).rejects.toThrow('cancelled')
})

test('metadata that would inflate to gigabytes are refused before a program reads them', async () => {
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
  // Where all of it goes, nothing of it is inflated.
  await expect(runMetadata({ ...step, strip: 'all' }, run)).resolves.toMatchObject({ width: 8 })
})
