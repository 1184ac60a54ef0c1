import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { LONE_ENVIRONMENT as environment } from '../testing/environment.ts'
import { HEIC } from '../testing/heic-image.ts'
import { decodeHeic } from './heic.ts'

const execute = promisify(execFile)
const [WIDTH, HEIGHT] = [38, 26]
const STEP = { input: 'source', output: { file: 'decoded.tif' } }

/** Colors and transparency that differ from pixel to pixel. */
const DRAWN = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 4 }, (_, at) => (at * 7) % 256))
const drawn = () => sharp(DRAWN, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })

async function startRun() {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-heic-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { folder, environment, signal: new AbortController().signal }
}

async function readSamples(path: string, depth: 'uchar' | 'ushort') {
  const space = depth === 'uchar' ? 'srgb' : 'rgb16'
  const { data, info } = await sharp(path)
    .toColorspace(space)
    .raw({ depth })
    .toBuffer({ resolveWithObject: true })
  const samples = depth === 'uchar' ? data : new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return { channels: info.channels, samples }
}

// libheif's program leaves the low bits of 16 empty.
test.each([
  ['8 bits', drawn().removeAlpha(), [], 'uchar', 3, 0],
  ['8 bits and transparency', drawn(), [], 'uchar', 4, 0],
  ['10 bits', drawn().removeAlpha().toColorspace('rgb16'), ['-b', '10'], 'ushort', 3, 63],
  ['10 bits and transparency', drawn().toColorspace('rgb16'), ['-b', '10'], 'ushort', 4, 63],
] as const)(
  'decodes a HEIC of %s as the program of libheif does',
  async (_, image, depth, kind, channels, error) => {
    const run = await startRun()
    const at = (name: string) => join(run.folder, name)
    await image.clone().png().toFile(at('drawn.png'))
    await execute('heif-enc', ['-q', '90', ...depth, '-o', at('source'), at('drawn.png')])
    await execute('heif-convert', [at('source'), at('expected.png')])
    await decodeHeic(STEP, null, run)
    const [decoded, expected] = [
      await readSamples(at('decoded.tif'), kind),
      await readSamples(at('expected.png'), kind),
    ]
    expect(decoded.channels).toBe(channels)
    expect(decoded.samples.length).toBe(WIDTH * HEIGHT * channels)
    const errors = Array.from(decoded.samples, (sample, index) => sample - (expected.samples[index] ?? -1))
    expect(Math.min(...errors)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...errors)).toBeLessThanOrEqual(error)
  },
)

test('decodes a HEIC of 17 megapixels', { tags: ['extended'] }, async () => {
  const run = await startRun()
  const [source, drawn] = [join(run.folder, 'source'), join(run.folder, 'drawn.jpg')]
  await sharp({ create: { width: 4096, height: 4096, channels: 3, background: '#336699' } }).toFile(drawn)
  await execute('heif-enc', ['-q', '10', '-p', 'preset=ultrafast', '-o', source, drawn])
  await decodeHeic(STEP, null, run)
  expect(await sharp(join(run.folder, 'decoded.tif')).metadata()).toMatchObject({ width: 4096, height: 4096 })
})

test('blames the file only if it cannot be decoded', async () => {
  const run = await startRun()
  // Only the coded pixels are corrupt, so the header can be read.
  const pixels = HEIC.indexOf('mdat') + 4
  const corrupt = Buffer.from(HEIC).fill(0, pixels, pixels + 100)
  await writeFile(join(run.folder, 'source'), corrupt)
  await expect(decodeHeic(STEP, null, run)).rejects.toMatchObject({ reason: { name: 'heic_corrupt' } })
  await writeFile(join(run.folder, 'source'), HEIC)
  const occupied = { ...STEP, output: { file: 'occupied' } }
  await mkdir(join(run.folder, 'occupied'))
  const failure = await decodeHeic(occupied, null, run).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'Error', message: expect.stringContaining('EEXIST') })
})
