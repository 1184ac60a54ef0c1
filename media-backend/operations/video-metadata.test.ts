import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { carryOut, inspect, type JobSpec } from '../testing/operate.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

const TIMESTAMP = '2024-01-02T03:04:05'
const PLACE = '+52.5000+013.4000/'
const CLIP = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=25', '-f', 'lavfi', '-i', 'sine=duration=1'],
  ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-metadata', `creation_time=${TIMESTAMP}Z`],
]
const tags = (given: Record<string, string>) =>
  Object.entries(given).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])

const APPLE = {
  'com.apple.quicktime.make': 'Apple',
  'com.apple.quicktime.model': 'iPhone 15 Pro',
  'com.apple.quicktime.software': '17.2',
  'com.apple.quicktime.creationdate': '2024-01-02T04:04:05+0100',
  'com.apple.quicktime.location.ISO6709': PLACE,
}
const phone = () => makeClip('phone.mov', [...CLIP, ...tags(APPLE), '-movflags', '+use_metadata_tags'])
const android = () => makeClip('android.mp4', [...CLIP, ...tags({ title: 'A walk', location: PLACE })])
const camera = () =>
  makeClip('camera.mov', [...CLIP, ...tags({ title: 'A walk', location: PLACE, make: 'Canon', model: 'R5' })])

const SPECS: JobSpec[] = [
  ['compress'],
  ['mute'],
  ['faststart'],
  ['trim', { duration: 0.5 }],
  ['convert', { format: 'mov' }],
]

/** Reads tags with exiftool, which the product does not use for videos. */
async function exif(path: string, ...names: string[]): Promise<Record<string, string>> {
  const output = await exiftool.run('-j', '-c', '%+.4f', ...names, path)
  const [read] = JSON.parse(output) as Record<string, string>[]
  return read ?? {}
}

test.each(SPECS)('%s %j keeps date, location, make and model of an iPhone video', async (...spec) => {
  const { path } = await carryOut(await phone(), spec)
  expect((await inspect(path)).format.tags).toMatchObject({
    ...APPLE,
    creation_time: expect.stringContaining(TIMESTAMP),
  })
  const read = await exif(path)
  expect(read).toMatchObject({ Make: 'Apple', Model: 'iPhone 15 Pro', CreateDate: '2024:01:02 03:04:05' })
  expect(read.GPSCoordinates).toContain('52.5')
  expect(read.CreationDate).toContain('2024:01:02 04:04:05')
})

test.each(SPECS)('%s %j keeps title, date and location of other phone videos', async (...spec) => {
  const { path } = await carryOut(await android(), spec)
  const { format } = await inspect(path)
  expect(format.tags).toMatchObject({ title: 'A walk', creation_time: `${TIMESTAMP}.000000Z` })
  expect(format.tags?.location).toMatch(/^\+52\.5000?\+0?13\.4000?/)
})

test.each(SPECS)(
  '%s %j keeps the make that a camera stored outside the metadata keys',
  { tags: ['extended'] },
  async (...spec) => {
    const { path } = await carryOut(await camera(), spec)
    const read = await exif(path)
    expect(read).toMatchObject({ Make: 'Canon', Model: 'R5', Title: 'A walk' })
    expect(read).toMatchObject({ CreateDate: '2024:01:02 03:04:05' })
    expect(read.GPSCoordinates).toContain('52.5')
  },
)

test('keeps title, date and location in Matroska', async () => {
  const { path } = await carryOut(await android(), ['convert', { format: 'mkv' }])
  const read = Object.fromEntries(
    Object.entries((await inspect(path)).format.tags ?? {}).map(([name, text]) => [name.toLowerCase(), text]),
  )
  expect(read).toMatchObject({ title: 'A walk', creation_time: `${TIMESTAMP}.000000Z` })
  expect(read.location).toMatch(/^\+52\.5/)
})

/** Makes a clip with cover art; `coded` sets the encoding of its video. */
function covered(coded: readonly string[]): Promise<Buffer> {
  const inputs = [...CLIP.slice(0, 8), '-f', 'lavfi', '-i', 'color=red:size=64x64:duration=1:rate=1']
  const art = ['-map', '2', '-c:v:1', 'png', '-disposition:v:1', 'attached_pic']
  return makeClip('cover.mp4', [...inputs, '-map', '0', '-map', '1', '-c:v:0', ...coded, ...art])
}

const X264 = ['libx264', '-pix_fmt', 'yuv420p']
const X265 = ['libx265', '-x265-params', 'log-level=none', '-tag:v:0', 'hvc1']

test.each<[string, JobSpec, readonly string[], boolean]>([
  ['faststart', ['faststart'], X264, true],
  ['faststart of HEVC', ['faststart'], X265, true],
  ['mute', ['mute'], X264, true],
  ['strip_metadata', ['strip_metadata'], X264, false],
  ['compress', ['compress', { crf: 28 }], X264, false],
])(
  '%s keeps cover art, unless it encodes or strips metadata',
  { tags: ['extended'] },
  async (_name, spec, coded, stays) => {
    const { path, source } = await carryOut(await covered(coded), spec)
    const art = async (file: string) => (await exif(file, '-b', '-CoverArt')).CoverArt
    const given = await art(source)
    expect(given).toMatch(/^base64:./)
    expect(await art(path)).toBe(stays ? given : undefined)
    const videos = (await inspect(path)).streams.filter(({ codec_type }) => codec_type === 'video')
    expect(videos).toHaveLength(stays ? 2 : 1)
  },
)

test('strip_metadata removes metadata even if the video is encoded', async () => {
  for (const clip of [await phone(), await android(), await camera()]) {
    for (const specs of [[['strip_metadata']], [['compress'], ['strip_metadata']]] as [
      JobSpec,
      ...JobSpec[],
    ][]) {
      const { path } = await carryOut(clip, ...specs)
      const output = JSON.stringify([(await inspect(path)).format.tags, await exif(path)])
      expect(output).not.toMatch(/52\.5|iPhone|Canon|"R5"|A walk|2024[-:]01/)
    }
  }
})

/** Makes a Matroska file with an attachment, such as a subtitle font. */
async function withFont(): Promise<Buffer> {
  return withFile('not really a font', (path) => {
    const font = ['-attach', path, '-metadata:s:t', 'mimetype=font/ttf', '-metadata:s:t', 'filename=a.ttf']
    return makeClip('font.mkv', [...CLIP, ...font])
  })
}

test.each<JobSpec>([
  ['mute'],
  ['convert', { format: 'mkv' }],
  ['trim', { duration: 0.5 }],
  ['trim', { start: 0.4, precise: false }],
])('%s %j keeps the attachments of a Matroska file', { tags: ['extended'] }, async (...spec) => {
  const { path } = await carryOut(await withFont(), spec)
  const attached = (await inspect(path)).streams.filter(({ codec_type }) => codec_type === 'attachment')
  expect(attached).toMatchObject([{ tags: { filename: 'a.ttf', mimetype: 'font/ttf' } }])
})
