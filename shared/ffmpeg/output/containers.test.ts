import { expect, test } from 'vitest'
import { planEmbed } from '../../captions/embed.ts'
import { trim } from '../../operations/video/trim.ts'
import type { Plan } from '../../planning/operation.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { containerOptions, NO_BRANDS, remuxContainer, supportsCodec, videoTag } from './containers.ts'

test('tags HEVC for Apple players', () => {
  expect(videoTag('hevc', 'mp4')).toEqual(['-tag:v', 'hvc1'])
  expect(videoTag('hevc', 'mov')).toEqual(['-tag:v', 'hvc1'])
  expect(videoTag('hevc', 'mkv')).toEqual([])
  expect(videoTag('h264', 'mp4')).toEqual([])
})

test('tags copied HEVC for Apple players when other streams change', () => {
  const probe = sampleProbe({}, { codec: 'hevc' })
  const cut = trim.plan({
    params: trim.parameters.parse({ start: 2, precise: false }),
    facts: { probe, lead_seconds: 0, cut_packets: null },
  }) as Plan
  const titled = planEmbed(probe, [], 'en')
  for (const plan of [cut, titled]) {
    const step = plan.steps.at(-1)
    expect(step?.kind === 'ffmpeg' && step.output.options.join(' ')).toContain('-tag:v hvc1')
  }
})

test('writes the index at the start of files that are streamed', () => {
  for (const file of ['a.mp4', 'a.mov', 'a.m4a']) expect(containerOptions(file)).toContain('+faststart')
  expect(containerOptions('a.m4a')).not.toContain('-write_tmcd')
  expect(containerOptions('a.mp3')).toEqual(NO_BRANDS)
})

const audioTracks = (codec: string) => [{ index: 1, codec, channels: 2 }]

test.each([
  ['mpegts', 'h264', 'aac', 'mp4'],
  ['mpegts', 'hevc', 'ac3', 'mp4'],
  ['mpegts', 'h264', 'mp2', 'mkv'],
  ['mpegts', 'mpeg2video', 'ac3', 'mkv'],
  ['flv', 'h264', 'mp3', 'mp4'],
  ['flv', 'flv1', 'mp3', 'mkv'],
  ['avi', 'h264', 'mp3', 'mp4'],
  ['avi', 'mpeg4', 'mp3', 'mkv'],
  ['avi', 'mjpeg', 'pcm_s16le', 'mkv'],
  ['asf', 'wmv3', 'wmav2', 'mkv'],
  ['matroska,webm', 'h264', 'aac', 'mkv'],
  ['matroska,webm', 'vp9', 'opus', 'webm'],
  ['mov,mp4,m4a,3gp,3g2,mj2', 'h263', 'amr_nb', 'mov'],
  ['mov,mp4,m4a,3gp,3g2,mj2', 'svq1', 'adpcm_ima_qt', 'mov'],
  ['mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'pcm_f32le', 'mov'],
  ['mov,mp4,m4a,3gp,3g2,mj2', 'vp9', 'pcm_s16le', 'mkv'],
  ['mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'vorbis', 'mkv'],
  // No container supports this audio codec.
  ['mpegts', 'h264', 'pcm_bluray', 'mp4'],
  ['mpeg', 'mpeg2video', 'pcm_dvd', 'mkv'],
  ['flv', 'h264', 'nellymoser', 'mp4'],
  ['flv', 'flv1', 'nellymoser', 'mkv'],
])('copies %s with %s and %s into .%s', (container, codec, audio, extension) => {
  expect(remuxContainer(sampleProbe({ container, audio: audioTracks(audio) }, { codec }))).toBe(extension)
})

test.each([
  ['dvb_subtitle', 'mkv'],
  ['hdmv_pgs_subtitle', 'mkv'],
  // No output container supports this codec.
  ['dvb_teletext', 'mp4'],
])('a transport stream with %s subtitles becomes .%s', (codec, extension) => {
  const probe = sampleProbe({ container: 'mpegts', subtitles: [{ index: 2, codec }] })
  expect(remuxContainer(probe)).toBe(extension)
})

test.each([
  ['pcm_s16le', true],
  ['pcm_bluray', false],
  ['pcm_dvd', false],
  ['pcm_s8', false],
  ['nellymoser', false],
  ['qtrle', false],
  ['flac', true],
])('Matroska supports %s: %s', (codec, holds) => {
  expect(supportsCodec('mkv', codec)).toBe(holds)
})
