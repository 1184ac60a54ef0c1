/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { makeClip, once, turnClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, inspect } from '../testing/operate.ts'
import { startJobRunner } from '../testing/run-job.ts'
import { talk } from '../testing/speech.ts'

/** A moving pattern whose bright upper half shows whether a result is upright. */
const halves = (size: string, rate: number) =>
  `testsrc2=size=${size}:rate=${rate},drawbox=h=ih/2:color=white@0.7:t=fill,drawbox=y=ih/2:color=black@0.7:t=fill`

/** Like a phone recording: 10-bit HDR rotated by metadata, and speech in six-channel audio. */
const phone = once(async () => {
  const tags = 'setparams=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc'
  const graph = `[0]transpose=clock,format=yuv420p10le,${tags}[video];[1:a]pan=5.1|FC=c0[audio]`
  const clip = await withFile(await talk('64x64'), (said) =>
    makeClip('phone.mp4', [
      ...['-f', 'lavfi', '-i', halves('90x160', 25), '-i', said, '-filter_complex', graph, '-t', '3.6'],
      ...['-map', '[video]', '-map', '[audio]', '-c:v', 'libx265', '-preset', 'ultrafast'],
      ...['-x265-params', 'log-level=error', '-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67'],
      ...['-colorspace', 'bt2020nc'],
    ]),
  )
  return turnClip(clip)
})

/** Like a tape recording: interlaced, odd frame size, no audio, and dropped frames. */
const tape = once(() => {
  const lost = `select='not(between(mod(n,13),3,6))'`
  const fields = `scale=161:91,setsar=1,format=yuv420p,interlace,${lost}`
  return makeClip('tape.mov', [
    ...['-f', 'lavfi', '-i', halves('160x90', 50), '-vf', fields, '-t', '2', '-fps_mode', 'vfr'],
    ...['-c:v', 'mpeg2video', '-flags', '+ildct+ilme', '-b:v', '2M'],
  ])
})

const CLIPS = { phone, tape }
type ClipName = keyof typeof CLIPS

const FAULTS = {
  phone: {
    video: { width: 90, height: 160, rotation_degrees: 270, pixel_format: 'yuv420p10le' },
    audio: [{ channels: 6 }],
  },
  tape: { video: { width: 161, height: 91, interlaced: true, variable_frame_rate: true }, audio: [] },
}

/** HDR becomes BT.709; untagged video below HD counts as BT.601. */
const COLORS = { phone: 'bt709', tape: 'smpte170m' }

type Size = [width: number, height: number]
/** Expected results. The phone clip is 3.6 s of 90 x 160; the tape clip is 2 s of 161 x 91. */
type Row = [
  ...[key: string, params: Record<string, unknown>, seconds: [number, number]],
  ...[of_phone: Size, of_tape: Size],
]

const WHOLE: [number, number] = [3.6, 2]
const UPRIGHT: Size = [90, 160]
const EVEN: Size = [162, 92]
const SUBTITLES = '1\n00:00:00,200 --> 00:00:01,000\nHello\n'

const VIDEOS: Row[] = [
  ['compress', { crf: 28 }, WHOLE, UPRIGHT, EVEN],
  ['resize', { width: 64 }, WHOLE, [64, 114], [64, 36]],
  ['resize', { width: 120, height: 120, mode: 'pad' }, WHOLE, [120, 120], [120, 120]],
  ['convert', { format: 'webm' }, WHOLE, UPRIGHT, EVEN],
  ['social', { preset: 'square' }, WHOLE, [1080, 1080], [1080, 1080]],
  ['trim', { start: 0.5 }, [3.1, 1.5], UPRIGHT, EVEN],
  ['trim', { start: 0.2, duration: 1 }, [1, 1], UPRIGHT, EVEN],
  ['fps', { fps: 30 }, WHOLE, UPRIGHT, EVEN],
  ['speed', { factor: 2 }, [1.8, 1], UPRIGHT, EVEN],
  ['rotate', { mode: '180' }, WHOLE, UPRIGHT, EVEN],
  ['flip', { axis: 'h' }, WHOLE, UPRIGHT, EVEN],
  ['circle', { diameter: 128, duration: 1 }, [1, 1], [128, 128], [128, 128]],
  ['blur_bg', { aspect: '1:1' }, WHOLE, [160, 160], [162, 162]],
  ['watermark', { text: 'Mark' }, WHOLE, UPRIGHT, EVEN],
  ['subtitles', { subtitles_text: SUBTITLES }, WHOLE, UPRIGHT, EVEN],
]

const VIDEO_ROWS: Row[] = [
  ['gif', { duration: 1, width: 64 }, [1, 1], [64, 114], [64, 36]],
  ['thumbnail', { at: 1 }, [0, 0], UPRIGHT, [161, 91]],
  ['cover', { title: 'Title', size: 'original' }, [0, 0], UPRIGHT, EVEN],
]

const KEEPS_FRAMES = [
  ...['faststart', 'mute', 'extract_audio', 'enhance_voice', 'add_audio', 'transcribe'],
  ...['device_meta', 'strip_metadata'],
]

test('covers every operation that makes frames from a video', () => {
  const keys = OPERATIONS.filter(({ accepts }) => accepts.includes('video')).map(({ key }) => key)
  const listed = [...VIDEOS, ...VIDEO_ROWS].map(([key]) => key)
  expect(new Set([...listed, 'auto_edit', ...KEEPS_FRAMES])).toEqual(new Set(keys))
})

interface Case {
  name: string
  key: string
  params: Record<string, unknown>
  clip: ClipName
  seconds: number
  size: Size
}

function casesOf(rows: Row[]): Case[] {
  return rows.flatMap(([key, params, seconds, of_phone, of_tape]) => {
    const spec = { name: `${key} ${JSON.stringify(params)}`, key, params }
    return [
      { ...spec, clip: 'phone', seconds: seconds[0], size: of_phone },
      { ...spec, clip: 'tape', seconds: seconds[1], size: of_tape },
    ]
  })
}

test.each(casesOf(VIDEOS))('$name of a $clip clip plays in browsers', async (wanted) => {
  const { key, params, clip, seconds } = wanted
  const { path, input } = await carryOut(await CLIPS[clip](), [key, params])
  expect(input).toMatchObject(FAULTS[clip])
  await expectPlayed(path, wanted)
  await expectUpright(path, seconds / 2, key === 'rotate')
})

test.each(casesOf(VIDEO_ROWS))(
  '$name shows a $clip clip upright',
  async ({ key, params, clip, seconds, size }) => {
    const { path } = await carryOut(await CLIPS[clip](), [key, params])
    const { streams, format } = await inspect(path)
    expect(streams).toMatchObject([{ width: size[0], height: size[1], sample_aspect_ratio: '1:1' }])
    expect(JSON.stringify(streams)).not.toMatch(/bt2020|arib-std-b67|yuv\w+10/)
    if (seconds > 0) expect(Number(format.duration)).toBeCloseTo(seconds, 1)
    await expectUpright(path, seconds / 2)
  },
)

test('auto_edit cuts a phone recording, and reports that a tape recording has no audio', async () => {
  const jobs = await startJobRunner()
  onTestFinished(() => jobs.close())
  const spec = { operation_key: 'auto_edit', params: { max_pause: 0.3, keep_pause: 0.1 } }
  const { path, outcome } = await jobs.run(spec, { input: await phone() })
  const removed_seconds = Number(outcome.body.removed_seconds)
  // The sentence ends 0.6 s before the end of the clip.
  expect(removed_seconds).toBeGreaterThan(0.3)
  const seconds = 3.6 - removed_seconds
  await expectPlayed(path, { params: {}, clip: 'phone', seconds, size: UPRIGHT })
  await expectUpright(path, seconds / 2)
  expect(await jobs.fail(spec, { input: await tape() })).toMatch(/no audio/)
})

/** Expects the properties that browsers require, the given size and duration, and audio as long as the video. */
async function expectPlayed(
  path: string,
  { params, clip, seconds, size }: Pick<Case, 'params' | 'clip' | 'seconds' | 'size'>,
): Promise<void> {
  const { streams, format } = await inspect(path)
  const [video, ...audio_tracks] = streams
  const [codec_name, audio_codec] = params.format === 'webm' ? ['vp9', 'opus'] : ['h264', 'aac']
  const color = COLORS[clip]
  expect(video).toMatchObject({
    ...{ codec_name, width: size[0], height: size[1], sample_aspect_ratio: '1:1', pix_fmt: 'yuv420p' },
    ...{ color_range: 'tv', color_space: color, color_transfer: color, color_primaries: color },
    field_order: 'progressive',
  })
  expect(video).not.toHaveProperty('side_data_list')
  expect(audio_tracks).toMatchObject(clip === 'phone' ? [{ codec_name: audio_codec, channels: 2 }] : [])
  for (const { duration = format.duration, start_time } of streams) {
    expect(Math.abs(Number(duration) - seconds)).toBeLessThan(0.05)
    expect(Math.abs(Number(start_time))).toBeLessThan(0.02)
  }
}

/** Expects the bright half at the top, or at the bottom if the video is upside down. */
async function expectUpright(path: string, at_seconds: number, is_turned = false): Promise<void> {
  const frame = await decodeFrame(await readFile(path), at_seconds)
  const [above = 0, below = 0] = [0.35, 0.65].map((y) => frame.colorAt(frame.width / 2, frame.height * y)[1])
  expect(is_turned ? below - above : above - below).toBeGreaterThan(100)
}
