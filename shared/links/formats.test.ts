import { expect, test } from 'vitest'
import { chooseFormats } from './formats.ts'
import { LinkFormat } from './info.ts'

const format = (format_id: string, given: Record<string, unknown>) =>
  LinkFormat.parse({ format_id, url: `https://media.example/${format_id}`, protocol: 'https', ...given })
const videoFormat = (id: string, height: number, vcodec: string, given: Record<string, unknown> = {}) =>
  format(id, { vcodec, acodec: 'none', height, width: Math.round((height * 16) / 9), ext: 'mp4', ...given })
const audioFormat = (id: string, acodec: string, abr: number, given: Record<string, unknown> = {}) =>
  format(id, { vcodec: 'none', acodec, abr, ext: acodec === 'opus' ? 'webm' : 'm4a', ...given })

/** Formats like those that a large site offers. */
const MANY = [
  audioFormat('m4a-low', 'mp4a.40.5', 48),
  audioFormat('m4a', 'mp4a.40.2', 128),
  audioFormat('opus', 'opus', 160),
  audioFormat('dubbed', 'mp4a.40.2', 192, { language_preference: -10 }),
  format('both-360', { vcodec: 'avc1', acodec: 'mp4a.40.2', width: 640, height: 360, ext: 'mp4' }),
  videoFormat('h264-720', 720, 'avc1.4d'),
  videoFormat('vp9-720', 720, 'vp9', { ext: 'webm' }),
  videoFormat('h264-1080', 1080, 'avc1.64'),
  videoFormat('vp9-2160', 2160, 'vp9', { ext: 'webm' }),
  videoFormat('vp9-2160-hdr', 2160, 'vp9.2', { ext: 'webm', dynamic_range: 'HDR10' }),
  format('storyboard', { vcodec: 'none', acodec: 'none', protocol: 'mhtml', url: 'https://media.example/s' }),
]
const video = (lines_max: number | null) => ({ media: 'video', lines_max, audio_codec: null }) as const
const audio = (audio_codec: 'aac' | 'mp3' | 'opus' | null) =>
  ({ media: 'audio', lines_max: null, audio_codec }) as const

function ids(...args: Parameters<typeof chooseFormats>) {
  const chosen = chooseFormats(...args)
  return chosen && [chosen.video?.format_id ?? null, chosen.audio?.format_id ?? null]
}

test.each([
  [null, ['vp9-2160', 'opus']],
  [1440, ['h264-1080', 'm4a']],
  [1080, ['h264-1080', 'm4a']],
  [720, ['h264-720', 'm4a']],
  [360, ['both-360', null]],
  [240, ['both-360', null]],
])('chooses video of at most %s lines: %j', (lines_max, expected) => {
  expect(ids(MANY, video(lines_max))).toEqual(expected)
})

test('applies the line limit to the width of a portrait video', () => {
  const upright = [
    videoFormat('tall', 1920, 'avc1', { width: 1080 }),
    videoFormat('small', 1280, 'avc1', { width: 720 }),
  ]
  expect(ids(upright, video(1080))).toEqual(['tall', null])
})

test.each([
  ['opus', 'opus'],
  ['aac', 'm4a'],
  ['mp3', 'opus'],
  [null, 'opus'],
] as const)('chooses audio for %s: %s', (codec, expected) => {
  expect(ids(MANY, audio(codec))).toEqual([null, expected])
})

test('assumes that a file with undeclared codecs has video and audio', () => {
  expect(ids([format('0', { ext: 'mp4' })], video(720))).toEqual(['0', null])
  expect(ids([format('0', { ext: 'mp4' })], audio('mp3'))).toEqual([null, '0'])
})

test.each([
  ['rtmp', { protocol: 'rtmp', url: 'rtmp://media.example/x' }],
  ['a local file', { url: 'file:///etc/passwd' }],
  ['copy protection', { has_drm: true }],
  ['another program', { protocol: 'websocket_frag' }],
])('ignores formats that need %s', (_, given) => {
  expect(chooseFormats([format('0', { ext: 'mp4', ...given })], video(null))).toBeNull()
})
