import { expect, test } from 'vitest'
import { video } from '../testing/clips.ts'
import { carryOut, type JobSpec, operate, reportedAfter, videoStreamOf } from '../testing/operate.ts'

const small = () => video(2, '160x90')

test('runs rotate, resize, speed and mute as one ffmpeg command', async () => {
  const { plan, output } = await operate(
    await small(),
    ['rotate', { mode: '90ccw' }],
    ['resize', { width: 72 }],
    ['speed', { factor: 2 }],
    ['mute'],
  )
  expect(plan.steps).toHaveLength(1)
  expect(output.video).toMatchObject({ width: 72, height: 128 })
  expect(output.audio).toEqual([])
  expect(output.duration_seconds).toBeCloseTo(1, 1)
})

test('a thumbnail at the end of a pipeline shows the edited file', async () => {
  const spec: [JobSpec, JobSpec, JobSpec] = [
    ['convert', { format: 'webm' }],
    ['rotate'],
    ['thumbnail', { at: 0 }],
  ]
  const { plan, path } = await carryOut(await video(0.4), ...spec)
  expect(plan.steps.map((step) => (step.kind === 'ffmpeg' ? step.output.file : step.kind))).toEqual([
    'edited.webm',
    'thumbnail.jpg',
  ])
  expect(await videoStreamOf(path)).toMatchObject({ width: 180, height: 320 })
})

test.each<[JobSpec, ...JobSpec[]]>([
  [['rotate'], ['resize', { width: 100 }], ['trim', { start: 0.3, duration: 1 }], ['speed', { factor: 0.5 }]],
  [['speed', { factor: 1.7 }], ['fps', { fps: 10 }], ['flip'], ['convert', { format: 'mov' }]],
  [
    ['trim', { start: 1.2 }],
    ['resize', { height: 300, width: 300, mode: 'pad' }],
    ['mute'],
    ['convert', { format: 'webm' }],
  ],
  [['mute'], ['device_meta', { preset: 'iphone' }], ['convert', { format: 'mkv' }], ['faststart']],
])('the result has the facts that the plan declares: %j %j %j %j', async (...specs) => {
  const { input, output, path } = await operate(await small(), ...specs)
  const declared = reportedAfter(input, specs)
  const { width, height, codec, pixel_format, rotation_degrees } = declared.video
  expect(output.video).toMatchObject({ index: 0, width, height, codec, pixel_format, rotation_degrees })
  expect(output.container).toBe(declared.container)
  expect(Math.abs(output.duration_seconds - declared.duration_seconds)).toBeLessThan(0.1)
  expect(output.video.frames_per_second).toBeCloseTo(declared.video.frames_per_second, 0)
  expect(output.audio).toEqual(declared.audio)
  expect(path).toMatch(/edited\.\w+$/)
})
