import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { inspect, type Order, operate, packetHashes } from '../testing/operate.ts'
import { pictureUnits } from '../testing/units.ts'

const execute = promisify(execFile)

const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=4:size=160x90:rate=25'],
  ...['-f', 'lavfi', '-i', 'sine=duration=4'],
]
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '2', '-g', '25']
const HEVC = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  'log-level=error:keyint=25',
  '-bf',
  '2',
]
const M2TS = ['-f', 'mpegts', '-mpegts_m2ts_mode', '1']

const STREAMS = {
  'H.264 and AAC in MPEG-TS': ['plain.ts', 'start codes', [...H264, '-c:a', 'aac']],
  'HEVC and AAC in MPEG-TS': ['hevc.ts', 'start codes', [...HEVC, '-c:a', 'aac']],
  'H.264 and AC-3 of a camcorder': ['camcorder.mts', 'start codes', [...H264, '-c:a', 'ac3', ...M2TS]],
  'H.264 and MP3 in Flash': ['flash.flv', 'lengths', [...H264, '-c:a', 'libmp3lame']],
  'H.264 and AAC in Flash': ['flash-aac.flv', 'lengths', [...H264, '-c:a', 'aac']],
  'H.264 and MP3 in AVI': ['plain.avi', 'start codes', [...H264, '-c:a', 'libmp3lame']],
} as const

describe.each(Object.entries(STREAMS))('a copy out of %s', (_, [name, packing, encoders]) => {
  const orders: Order[] = [['strip_metadata'], ['mute']]
  test.each(orders)(
    'by %s is an MP4 with the very units of its picture, and all its sound',
    async (...order) => {
      const clip = await makeClip(name, [...SOURCES, ...encoders])
      const { plan, source, path, input, output } = await operate(clip, order)
      expect(plan).toMatchObject({
        encode_mode: 'remux',
        outputs: [{ file: expect.stringMatching(/\.mp4$/) }],
      })
      const units = await pictureUnits(path, 'lengths')
      expect(units.length).toBeGreaterThanOrEqual(100)
      expect(units).toEqual(await pictureUnits(source, packing))
      expect(output.video).toMatchObject({ codec: input.video.codec, width: 160, frames_per_second: 25 })
      const has_sound = order[0] !== 'mute'
      if (has_sound) expect(await packetHashes(path, 'a')).toEqual(await soundOf(source, name))
      expect(output.audio.map(({ codec }) => codec)).toEqual(has_sound ? [input.audio[0]?.codec] : [])
      const [before, after] = await Promise.all([inspect(source), inspect(path)])
      if (has_sound) expect(Math.abs(lead(before) - lead(after))).toBeLessThan(0.05)
      if (output.video.codec === 'hevc') expect(after.streams[0]?.codec_tag_string).toBe('hvc1')
      expect(await decodedFrames(path)).toBe(100)
    },
  )
})

/** AAC in MPEG-TS has a header (ADTS) before each frame, which says the same each time. */
function soundOf(source: string, name: string): Promise<string[]> {
  return packetHashes(source, 'a', name.endsWith('.ts') ? 'aac_adtstoasc' : undefined)
}

/** By how much the sound begins before the picture. */
function lead({ streams }: Awaited<ReturnType<typeof inspect>>): number {
  return Number(streams[0]?.start_time) - Number(streams[1]?.start_time)
}

/** All that a strict decoder makes of it. */
async function decodedFrames(path: string): Promise<number> {
  const counted = ['-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames']
  const { stdout, stderr } = await execute('ffprobe', ['-v', 'error', ...counted, '-of', 'csv=p=0', path])
  expect(stderr).toBe('')
  return Number(stdout)
}

test('a part of a stream from a keyframe on is an MP4 as well', async () => {
  const clip = await makeClip('plain.ts', [...SOURCES, ...H264, '-c:a', 'aac'])
  const { plan, source, path } = await operate(clip, ['trim', { start: 2.5, precise: false }])
  expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'trimmed.mp4' }] })
  const [part, whole] = await Promise.all([
    pictureUnits(path, 'lengths'),
    pictureUnits(source, 'start codes'),
  ])
  expect(await decodedFrames(path)).toBe(50)
  expect(whole.join(' ').endsWith(part.join(' '))).toBe(true)
})

test('what players of MP4 do not know stays in Matroska', async () => {
  const old = await makeClip('old.avi', [...SOURCES, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'])
  const { plan, path, source } = await operate(old, ['strip_metadata'])
  expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'stripped.mkv' }] })
  expect(await packetHashes(path, 'v')).toEqual(await packetHashes(source, 'v'))
})
