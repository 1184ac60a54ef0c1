import { expect, test } from 'vitest'
import type { FfmpegStep } from '../../shared/planning/steps.ts'
import { ffmpegArguments, INPUT_GUARD } from './ffmpeg-command.ts'

const STEP: FfmpegStep = {
  kind: 'ffmpeg',
  inputs: [{ file: 'source', options: ['-ss', '1.5'] }],
  filter_graph: "[0:0]drawtext=text='two words',scale=64:36[video]",
  output: { file: 'out.mp4', options: ['-map', '[video]', '-metadata', 'title=two words'] },
  output_duration_seconds: 3,
}

test('keeps every argument a single string, and guards every input', () => {
  const args = ffmpegArguments(STEP, '/jobs/a')
  expect(args.slice(args.indexOf('-protocol_whitelist'))).toEqual([
    ...INPUT_GUARD,
    ...['-max_pixels', '37748736', '-ss', '1.5', '-i', 'file:/jobs/a/source'],
    ...['-filter_complex', "[0:0]drawtext=text='two words',scale=64:36[video]"],
    ...['-max_muxing_queue_size', '4096', '-map', '[video]', '-metadata', 'title=two words'],
    'file:/jobs/a/out.mp4',
  ])
  expect(args.slice(0, 3)).toEqual(['-hide_banner', '-nostdin', '-y'])
})

test('puts the guard before each input', () => {
  const inputs = ['source', 'logo.png'].map((file) => ({ file, options: [] }))
  const args = ffmpegArguments({ ...STEP, inputs, filter_graph: null }, '/jobs/a')
  expect(args.filter((argument) => argument === '-format_whitelist')).toHaveLength(2)
  expect(args).not.toContain('-filter_complex')
})

test.each(['../other/source', '/etc/passwd', 'a/b', '..', '-y', 'http:x', ''])(
  'refuses the file name %j',
  (file) => {
    expect(() => ffmpegArguments({ ...STEP, output: { file, options: [] } }, '/jobs/a')).toThrow(
      'invalid file name',
    )
  },
)
