/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeClip, once } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut, type Inspected, inspect, type JobSpec, packetHashes } from '../testing/operate.ts'
import { videoUnits } from '../testing/units.ts'

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
  'H.264 and MP3 in AVI': ['plain.avi', 'start codes', [...H264, '-bf', '0', '-c:a', 'libmp3lame']],
} as const

describe.each(Object.entries(STREAMS))('copying %s', (_, [name, packing, encoders]) => {
  const given = once(async () => {
    const clip = await makeClip(name, [...SOURCES, ...encoders])
    const facts = await withFile(clip, async (path) => ({
      units: await videoUnits(path, packing),
      audio_hashes: await audioOf(path, name),
      inspected: await inspect(path),
    }))
    return { clip, ...facts }
  })
  const specs: JobSpec[] = name === 'plain.ts' ? [['strip_metadata'], ['mute']] : [['strip_metadata']]
  test.each(specs)('with %s makes an MP4 of the same video units and all audio', async (...spec) => {
    const { clip, units, audio_hashes, inspected } = await given()
    const { plan, path, input } = await carryOut(clip, spec)
    expect(plan).toMatchObject({
      encode_mode: 'remux',
      outputs: [{ file: expect.stringMatching(/\.mp4$/) }],
    })
    expect(units.length).toBeGreaterThanOrEqual(100)
    expect(await videoUnits(path, 'lengths')).toEqual(units)
    const { streams } = await decode(path)
    const { codec } = input.video
    expect(streams[0]).toMatchObject({ codec_name: codec, width: 160 })
    // The AVI header declares one frame too many.
    const [frames = 0, seconds = 1] = String(streams[0]?.avg_frame_rate).split('/').map(Number)
    expect(frames / seconds).toBeCloseTo(25, name === 'plain.avi' ? 0 : 3)
    expect(streams[0]).toMatchObject({ nb_read_frames: '100' })
    if (codec === 'hevc') expect(streams[0]?.codec_tag_string).toBe('hvc1')
    if (spec[0] === 'mute') return expect(streams).toHaveLength(1)
    expect(await packetHashes(path, 'a')).toEqual(audio_hashes)
    expect(streams.slice(1)).toMatchObject([{ codec_name: input.audio[0]?.codec }])
    expect(Math.abs(lead(inspected.streams) - lead(streams))).toBeLessThan(0.05)
  })
})

/** Returns hashes of the audio packets, without the ADTS header that precedes each AAC frame in MPEG-TS. */
function audioOf(source: string, name: string): Promise<string[]> {
  return packetHashes(source, 'a', name.endsWith('.ts') ? 'aac_adtstoasc' : undefined)
}

/** Returns how many seconds the audio starts before the video. */
function lead(streams: Inspected['streams']): number {
  return Number(streams[0]?.start_time) - Number(streams[1]?.start_time)
}

/** Returns the stream properties after decoding all frames. Decoding must not log any errors. */
async function decode(path: string): Promise<Pick<Inspected, 'streams'>> {
  const counted = ['-count_frames', '-show_streams', '-of', 'json']
  const { stdout, stderr } = await execute('ffprobe', ['-v', 'error', ...counted, path])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Inspected
}

test('a part of a stream that starts at a keyframe becomes an MP4', async () => {
  const clip = await makeClip('plain.ts', [...SOURCES, ...H264, '-c:a', 'aac'])
  const { plan, source, path } = await carryOut(clip, ['trim', { start: 2.5, precise: false }])
  expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'trimmed.mp4' }] })
  const [part, whole] = await Promise.all([videoUnits(path, 'lengths'), videoUnits(source, 'start codes')])
  expect((await decode(path)).streams[0]?.nb_read_frames).toBe('50')
  expect(whole.join(' ').endsWith(part.join(' '))).toBe(true)
})

test('codecs that MP4 players do not support become Matroska', async () => {
  const old = await makeClip('old.avi', [...SOURCES, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'])
  const { plan, path, source } = await carryOut(old, ['strip_metadata'])
  expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'stripped.mkv' }] })
  expect(await packetHashes(path, 'v')).toEqual(await packetHashes(source, 'v'))
})
