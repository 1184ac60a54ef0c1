import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { FAST, makeClip, tone, video, videoInput } from '../testing/clips.ts'
import { carryOut, frameLevels, inspect, type JobSpec, operate, videoStreamOf } from '../testing/operate.ts'

const execute = promisify(execFile)

const small = () => video(2, '160x90')

describe('convert', () => {
  test.each([
    [{ format: 'webm' }, 'encode', 'vp9', 'opus'],
    [{ format: 'mkv', acodec: 'libmp3lame' }, 'video_copy', 'h264', 'mp3'],
    [{ format: 'mp4', vcodec: 'libx265' }, 'audio_copy', 'hevc', 'aac'],
    [{ format: 'mov', vcodec: 'copy', acodec: 'copy' }, 'remux', 'h264', 'aac'],
    [{ format: 'mp4', vcodec: 'libvpx-vp9', acodec: 'libopus' }, 'encode', 'vp9', 'opus'],
  ])('converts by %j with encode mode %s', async (params, mode, vcodec, acodec) => {
    const { plan, output, path } = await operate(await small(), ['convert', params])
    expect(plan.encode_mode).toBe(mode)
    expect([output.video.codec, output.audio[0]?.codec]).toEqual([vcodec, acodec])
    expect(output.duration_seconds).toBeCloseTo(2, 1)
    if (vcodec === 'hevc') expect((await videoStreamOf(path)).codec_tag_string).toBe('hvc1')
  })

  test('converts a browser recording to MP4 by encoding only its audio, because MP4 supports VP9', async () => {
    const args = [
      ...videoInput(),
      ...tone(),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-c:a',
      'libvorbis',
    ]
    const { plan, output } = await operate(await makeClip('browser.webm', args), ['convert'])
    expect(plan.encode_mode).toBe('video_copy')
    expect([output.video.codec, output.audio[0]?.codec]).toEqual(['vp9', 'aac'])
  })
})

test('progress never decreases and ends at 100 percent', async () => {
  const { percents } = await carryOut(await video(8), ['compress', { preset: 'slow' }])
  expect(percents.at(-1)).toBe(100)
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
})

describe('frame size', () => {
  test.each([
    [['resize', { width: 160 }], 160, 90],
    [['resize', { width: 100, height: 100 }], 100, 56],
    [['resize', { width: 200, height: 200, mode: 'pad', color: '#ff0000' }], 200, 200],
    [['social', { preset: 'square' }], 1080, 1080],
    [['social', { preset: 'vertical', mode: 'pad' }], 1080, 1920],
    [['rotate', { mode: '90cw' }], 180, 320],
    [['rotate', { mode: '180' }], 320, 180],
    [['flip', { axis: 'v' }], 320, 180],
  ] as [JobSpec, number, number][])('%j results in %i x %i', async (spec, width, height) => {
    const { plan, path } = await carryOut(await video(0.4), spec)
    expect(plan.encode_mode).toBe('encode')
    const shown = await videoStreamOf(path)
    expect(shown).toMatchObject({ width, height, codec_name: 'h264', pix_fmt: 'yuv420p' })
    expect(shown).toMatchObject({ sample_aspect_ratio: '1:1', color_space: expect.any(String) })
    expect(Number(shown.duration)).toBeCloseTo(0.4, 1)
  })
})

describe('speed and frame rate', () => {
  test.each([
    [0.5, 4, 12.5],
    [10, 0.2, 30],
    [0.7, 2 / 0.7, 17.5],
  ])(
    'speed %d results in %d s at %d frames per second, in video and audio',
    async (factor, seconds, rate) => {
      const { path } = await carryOut(await small(), ['speed', { factor }])
      const { streams } = await inspect(path)
      expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio'])
      const [frames = 0, each = 1] = String(streams[0]?.avg_frame_rate).split('/').map(Number)
      expect(frames / each).toBeCloseTo(rate, 0)
      for (const { duration } of streams) expect(Math.abs(Number(duration) - seconds)).toBeLessThan(0.12)
    },
  )

  test.each([1, 29.97, 60])('fps %d keeps the duration', async (fps) => {
    const { output, path } = await operate(await small(), ['fps', { fps }])
    expect(output.video.frames_per_second).toBeCloseTo(fps, 2)
    expect(output.duration_seconds).toBeCloseTo(2, 1)
    expect(await frameLevels(path)).toHaveLength(Math.round(2 * fps))
  })
})

test('late audio stays in sync at another speed', async () => {
  const late = await makeClip('late-audio.mkv', [
    ...[...videoInput(6, '64x64'), '-itsoffset', '2', ...tone(4), '-map', '0', '-map', '1', ...FAST],
  ])
  const { path } = await carryOut(late, ['speed', { factor: 2 }])
  const { stderr } = await execute('ffmpeg', [
    ...['-hide_banner', '-i', path, '-af', 'silencedetect=noise=-40dB:d=0.3', '-f', 'null', '-'],
  ])
  expect(Number(/silence_start: (\S+)/.exec(stderr)?.[1])).toBeCloseTo(0, 1)
  expect(Number(/silence_end: (\S+)/.exec(stderr)?.[1])).toBeCloseTo(1, 1)
})

test('the best quality still has a profile that browsers play', async () => {
  const { path } = await carryOut(await video(0.4), ['compress', { crf: 0, preset: 'ultrafast' }])
  expect((await videoStreamOf(path)).profile).not.toMatch(/4:4:4/)
})
