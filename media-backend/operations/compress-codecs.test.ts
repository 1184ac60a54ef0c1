import { open } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeClip, once, tone, videoInput } from '../testing/clips.ts'
import { carryOut, frameLevels, type JobSpec, operate, videoStreamOf } from '../testing/operate.ts'

const clip = once(() =>
  makeClip('codecs.mkv', [
    ...[...videoInput(0.4, '64x64'), ...tone(0.4)],
    ...['-vf', 'scale=67:65,setsar=1', '-c:v', 'ffv1'],
  ]),
)
const hevc: JobSpec = ['compress', { codec: 'hevc', crf: 30 }]
const av1: JobSpec = ['compress', { codec: 'av1', crf: 40 }]
const into = (format: string): JobSpec => ['convert', { format }]

describe('writes each codec into the containers that support it', () => {
  test.each<[string, string, string, [JobSpec, ...JobSpec[]]]>([
    ['hevc', 'hvc1', 'mp4', [hevc]],
    ['hevc', 'hvc1', 'mov', [hevc, into('mov')]],
    ['hevc', '[0][0][0][0]', 'mkv', [hevc, into('mkv')]],
    ['av1', 'av01', 'mp4', [av1]],
    ['av1', '[0][0][0][0]', 'webm', [av1, into('webm')]],
    ['h264', 'avc1', 'mov', [av1, into('mov')]],
  ])('%s with the tag %s in %s', async (codec_name, codec_tag_string, container, specs) => {
    const { path, plan } = await carryOut(await clip(), ...specs)
    expect(plan.encode_mode).toBe('encode')
    expect(path.endsWith(`.${container}`)).toBe(true)
    const size = { width: 68, height: 66 }
    const stream = { codec_name, codec_tag_string, ...size, pix_fmt: 'yuv420p', color_range: 'tv' }
    expect(await videoStreamOf(path)).toMatchObject(stream)
    expect(await frameLevels(path)).toHaveLength(10)
    if (container === 'mp4') expect(await firstBoxes(path)).toEqual(['ftyp', 'moov'])
  })
})

/** Returns the types of the first two boxes of an MP4. */
async function firstBoxes(path: string): Promise<string[]> {
  await using file = await open(path)
  const head = Buffer.alloc(4096)
  await file.read(head, 0, head.length, 0)
  const next = head.readUInt32BE(0)
  return [4, next + 4].map((at) => head.toString('latin1', at, at + 4))
}

test.each([hevc, av1])('%s %j shows HDR as SDR with 8 bits', async (...spec) => {
  const hdr = 'format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc'
  const source = await makeClip('hdr.mkv', [...videoInput(0.2, '64x64'), '-vf', hdr, '-c:v', 'ffv1'])
  const { input, output } = await operate(source, spec)
  expect(input.video.color_transfer).toBe('smpte2084')
  const colors = {
    color_transfer: 'bt709',
    color_space: 'bt709',
    color_primaries: 'bt709',
    color_range: 'tv',
  }
  expect(output.video).toMatchObject({ ...colors, pixel_format: 'yuv420p' })
})

test('AV1 keeps frame rates above the limit of its encoder', async () => {
  const fast = ['-f', 'lavfi', '-i', 'testsrc2=duration=0.1:size=64x64:rate=300', '-c:v', 'ffv1']
  const { path } = await carryOut(await makeClip('fast.mkv', fast), av1)
  const frames = await frameLevels(path)
  expect(frames).toHaveLength(30)
  expect(frames.at(-1)?.seconds).toBeCloseTo(29 / 300, 3)
})
