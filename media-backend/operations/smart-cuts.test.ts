import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { planSmartCuts } from '../../shared/ffmpeg/cuts/plan-smart-cut.ts'
import { chooseSmartCut } from '../../shared/ffmpeg/cuts/smart-cut.ts'
import { trim } from '../../shared/operations/video/trim.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { probeVideo } from '../probe/probe.ts'
import { measureCutPackets } from '../probe/timing/cut-packets.ts'
import { fileIn } from '../runtime/folder.ts'
import { runPlan } from '../steps/plan.ts'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { frameLevels, inspect, makeRun } from '../testing/operate.ts'

const execute = promisify(execFile)

/**
 * Frame N is a flat gray of brightness 16 + 2N, at 12 frames per second. Its pixels are a hundred times wider than high:
 * the video is displayed so large that a copy is worth its checks, but it is quick to decode.
 */
const GRAY = "color=c=black:s=320x64:r=12,trim=end_frame=100,geq=lum='16+2*N':cb=128:cr=128,setsar=100"
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=8', '-c:a', 'aac']
const counted = (...filters: string[]) => ['-f', 'lavfi', '-i', [GRAY, ...filters].join(','), ...TONE]
const REORDERED = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-g', '20', '-bf', '3'],
  ...['-b_strategy', '0', '-sc_threshold', '0'],
]

/** @param levels brightness levels per level of 8 bits. */
async function numbers(path: string, levels = 1): Promise<number[]> {
  return (await frameLevels(path)).map(({ level }) => Math.round((level / levels - 16) / 2))
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Returns what ffmpeg warns of, except for the shape of the pixels. */
async function warningsOf(path: string): Promise<string> {
  const { stderr } = await execute('ffmpeg', [
    '-v',
    'warning',
    '-i',
    path,
    '-vf',
    'setsar=1',
    '-f',
    'null',
    '-',
  ])
  return stderr.replaceAll(/^.*invalid SAR.*\n/gm, '')
}

/** Cuts six seconds and copies most of them. The clips are so small that the operation would encode everything. */
async function cutClip(
  content: Buffer,
  start: number,
): Promise<{ path: string; source: string; plan: Plan }> {
  const run = await makeRun()
  const source = fileIn(run.folder, SOURCE)
  await writeFile(source, content)
  const probe = await probeVideo(source, run)
  const cut = { start, seconds: 6 }
  const params = trim.parameters.parse({ start, duration: 6 })
  const cut_packets = await measureCutPackets(probe, params, run)
  const facts = { probe, assets: {}, lead_seconds: 0, cut_packets: null }
  const edit = trim.edit?.({ params, facts })
  const full = trim.plan({ params, facts })
  const smart = cut_packets === null ? null : chooseSmartCut(probe, cut, cut_packets)
  if (edit === undefined || !('tracks' in edit) || 'refused' in full || smart === null)
    throw new Error('the clip cannot be cut')
  if (typeof smart === 'string') throw new Error(`nothing can be copied: ${smart}`)
  const { plan } = await runPlan(planSmartCuts(probe, [{ ...smart, at: 0 }], edit, full), run, () => {})
  return { path: fileIn(run.folder, plan.outputs[0].file), source, plan }
}

test('a precise cut encodes only the frames at its ends', async () => {
  const clip = await makeClip('smart.mp4', [...counted(), ...REORDERED])
  const { path, plan } = await cutClip(clip, 1)
  expect(plan.body?.copied_seconds).toBeGreaterThan(4.5)
  expect(await numbers(path)).toEqual(range(12, 83))
  expect(await warningsOf(path)).toBe('')
  const { streams } = await inspect(path)
  expect(streams).toMatchObject([{ codec_tag_string: 'avc1' }, { codec_name: 'aac' }])
  for (const { start_time, duration } of streams) {
    expect(Number(start_time)).toBe(0)
    expect(Math.abs(Number(duration) - 6)).toBeLessThan(0.03)
  }
})

test('a precise cut copies frames before a freeze that is longer than what is read after the cut', async () => {
  const freeze = ["select='lt(n,84)+gte(n,98)'"]
  const clip = await makeClip('smart-freeze.mp4', [...counted(...freeze), '-fps_mode', 'vfr', ...REORDERED])
  const { path, plan } = await cutClip(clip, 1)
  expect(plan.body?.copied_seconds).toBeGreaterThan(4)
  expect(await numbers(path)).toEqual(range(12, 83))
  expect(Number((await inspect(path)).streams[0]?.duration)).toBeCloseTo(6, 1)
})

test('a precise cut that ends within a frame contains it', async () => {
  const clip = await makeClip('smart.mp4', [...counted(), ...REORDERED])
  const { path } = await cutClip(clip, 1.04)
  expect(await numbers(path)).toEqual(range(12, 84))
  // The audio begins with the first frame, at 1 s, and ends at 7.04 s.
  const [, audio] = (await inspect(path)).streams
  expect(Math.abs(Number(audio?.duration) - 6.04)).toBeLessThan(0.03)
})

const OPEN = 'open-gop=1:keyint=24:min-keyint=1:scenecut=0:b-adapt=0'
const EXTENDED = { tags: ['extended'] }

describe.each([
  ['B-frames as references', 'bframes=5:b-pyramid=normal:ref=4', {}],
  ['two B-frames', 'bframes=2:b-pyramid=none', EXTENDED],
  ['many references', 'bframes=3:b-pyramid=strict:ref=8', EXTENDED],
  ['no B-frames', 'bframes=0', EXTENDED],
])('H.264 with open groups and %s', (_, params, options) => {
  test('a precise cut copies from a recovery point', options, async () => {
    const coding = [
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '8',
      '-x264-params',
      `${OPEN}:${params}`,
    ]
    const clip = await makeClip('smart-open.mp4', [...counted(), ...coding])
    const { path, plan } = await cutClip(clip, 0.9)
    expect(plan.body?.copied_seconds).toBeGreaterThan(4)
    expect(await numbers(path)).toEqual(range(10, 82))
    expect(await warningsOf(path)).toBe('')
  })
})

test('encodes everything if decoding cannot start with the first copied frame', EXTENDED, async () => {
  // Frames are refreshed column by column. ffmpeg takes the start of each refresh for a keyframe.
  const refreshed = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '8', '-x264-params']
  const params = 'intra-refresh=1:keyint=24:bframes=0:scenecut=0'
  const clip = await makeClip('smart-refresh.mp4', [...counted(), ...refreshed, params])
  const { path, plan } = await cutClip(clip, 2)
  expect(plan.body).toEqual({ encode_reason: 'mismatch' })
  expect(await numbers(path)).toHaveLength(72)
})

const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '8', '-tag:v', 'hvc1']
const hevcParams = (more: string) => [
  '-x265-params',
  `log-level=error:keyint=20:min-keyint=20:scenecut=0:${more}`,
]

test.each([
  ['closed groups', 'yuv420p', 'bframes=3:b-adapt=0:open-gop=0'],
  ['open groups', 'yuv420p', 'bframes=3:b-adapt=0:open-gop=1'],
  ['no reordered frames', 'yuv420p', 'bframes=0'],
  ['10 bits', 'yuv420p10le', 'bframes=4:b-adapt=0:open-gop=1'],
])(
  'a precise cut of HEVC with %s encodes only the frames at its ends',
  { tags: ['extended'] },
  async (_, format, params) => {
    const clip = await makeClip('smart-hevc.mp4', [
      ...counted(),
      ...HEVC,
      '-pix_fmt',
      format,
      ...hevcParams(params),
    ])
    for (const start of [1, 1.5]) {
      const { path, plan } = await cutClip(clip, start)
      expect(plan.body?.copied_seconds).toBeGreaterThan(4)
      expect(await numbers(path, format === 'yuv420p' ? 1 : 4)).toEqual(range(12 * start, 12 * start + 71))
      expect(await warningsOf(path)).toBe('')
      const { streams } = await inspect(path)
      expect(streams).toMatchObject([{ codec_tag_string: 'hvc1', pix_fmt: format }, { codec_name: 'aac' }])
    }
  },
)

test('a variable frame rate keeps its times', { tags: ['extended'] }, async () => {
  const clip = await makeClip('smart-uneven.mp4', [
    ...[...counted("select='mod(n,7)'"), '-fps_mode', 'vfr', ...REORDERED, '-bf', '1', '-g', '10'],
    ...['-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
  ])
  const { path, source, plan } = await cutClip(clip, 1.03)
  expect(plan.body?.copied_seconds).toBeGreaterThan(4)
  const whole = await frameLevels(source)
  const first = whole.findLast(({ seconds }) => seconds <= 1.03)?.seconds ?? 0
  const part = whole.filter(({ seconds }) => seconds >= first && seconds < 7.03)
  const frames = await frameLevels(path)
  expect(frames).toHaveLength(part.length)
  for (const [at, { seconds, level }] of frames.entries()) {
    expect(seconds).toBeCloseTo(Math.max(0, (part[at]?.seconds ?? 0) - 1.03), 2)
    expect(level).toBeCloseTo(part[at]?.level ?? 0, 0)
  }
})

/** Returns the position of the third keyframe in a file, which lies in the copied part. */
async function keyframeBytes(path: string): Promise<{ start: number; end: number }> {
  const shown = ['-select_streams', 'v', '-show_entries', 'packet=pos,size,flags', '-of', 'csv=p=0']
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...shown, path])
  const keys = stdout.split('\n').filter((line) => line.includes('K'))
  const [size = 0, start = 0] = keys[2]?.split(',').map(Number) ?? []
  return { start, end: start + size }
}

test('encodes everything if the copied frames are damaged', { tags: ['extended'] }, async () => {
  const clip = await makeClip('smart.mp4', [...counted(), ...REORDERED])
  const damaged = Buffer.from(clip)
  const { start, end } = await withFile(clip, keyframeBytes)
  damaged.fill(0xff, start + 6, end)
  const { path, plan } = await cutClip(damaged, 1)
  expect(plan.body).toEqual({ encode_reason: 'mismatch' })
  expect(await numbers(path)).toHaveLength(72)
})
