import { expect, test } from 'vitest'
import type { MediaProbe } from '../../planning/facts.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { chain, type VideoEdit, videoEdit } from '../edit.ts'
import { AUDIO_ENCODERS, VIDEO_ENCODERS } from './encoders.ts'
import { chooseTreatment, encodeModeOf } from './treatment.ts'

const mp4 = sampleProbe()
const webm = sampleProbe(
  { container: 'matroska,webm', audio: [{ index: 1, codec: 'opus', channels: 2 }] },
  { codec: 'vp9' },
)
const turned = sampleProbe({}, { rotation_degrees: 90 })
const silent = sampleProbe({ audio: [] })
const surround = sampleProbe({ container: 'matroska,webm', audio: [{ index: 1, codec: 'dts', channels: 6 }] })
const stream = sampleProbe({ container: 'mpegts' })
const drawn = { ...stream, subtitles: [{ index: 2, codec: 'dvb_subtitle' }] }

const flash = sampleProbe({ container: 'flv', audio: [{ index: 1, codec: 'nellymoser', channels: 1 }] })
const screen = sampleProbe({ container: 'flv' }, { codec: 'flashsv2' })

const flipped = { video: chain('hflip') }
const louder = { audio: chain('volume=2') }
const muted = { audio: 'none' } as const
const h264 = { encoding: { video: VIDEO_ENCODERS.libx264, audio: AUDIO_ENCODERS.aac } }
const copied = { encoding: { video: 'copy', audio: 'copy' } } as const
const cut = { cut: { start: 1, seconds: 2 } }
const into = (container: 'mp4' | 'mov' | 'mkv' | 'webm', more: VideoEdit['encoding'] = {}) => ({
  encoding: { container, only_where_needed: true, ...more },
})

/** Formats a treatment as "mode container video audio", where each codec is its encoder, "copy" or "-". */
function choose(probe: MediaProbe, ...changes: Partial<VideoEdit>[]): string {
  const treatment = chooseTreatment(
    changes.map((change) => videoEdit(probe, change)),
    probe,
  )
  const name = (options: string[] | 'copy' | null) => (Array.isArray(options) ? options[1] : (options ?? '-'))
  return [encodeModeOf(treatment), treatment.container, name(treatment.video), name(treatment.audio)].join(
    ' ',
  )
}

test.each<[string, MediaProbe, Partial<VideoEdit>[], string]>([
  ['remuxes without changes', mp4, [{}], 'remux mp4 copy copy'],
  ['keeps the container', webm, [{}], 'remux webm copy copy'],
  ['remuxes a transport stream to MP4', stream, [{}], 'remux mp4 copy copy'],
  ['remuxes bitmap subtitles to Matroska', drawn, [{}], 'remux mkv copy copy'],
  ['remuxes to MP4 if bitmap subtitles are dropped', drawn, [{ subtitles: 'none' }], 'remux mp4 copy copy'],
  ['mute copies the video', mp4, [muted], 'remux mp4 copy -'],
  ['mute ignores the audio codec', surround, [muted], 'remux mkv copy -'],
  ['encodes a changed video and its audio', mp4, [flipped], 'encode mp4 libx264 aac'],
  ['encodes WebM to MP4', webm, [flipped], 'encode mp4 libx264 aac'],
  ['copies the video if only audio changes', mp4, [louder], 'video_copy mp4 copy aac'],
  ['encodes audio in a WebM to Opus', webm, [louder], 'video_copy webm copy libopus'],
  ['encodes both for a cut', mp4, [cut], 'encode mp4 libx264 aac'],
  ['keeps a silent video silent', silent, [flipped], 'encode mp4 libx264 -'],
  ['ignores audio edits before mute', mp4, [louder, muted], 'remux mp4 copy -'],
  ['copies audio that the container supports', mp4, [into('mkv')], 'remux mkv copy copy'],
  [
    'encodes codecs that the container does not support',
    mp4,
    [into('webm')],
    'encode webm libvpx-vp9 libopus',
  ],
  [
    'encodes only the codec that the container does not support',
    surround,
    [into('mp4')],
    'video_copy mp4 copy aac',
  ],
  ['encodes rotated video for Matroska', turned, [into('mkv')], 'audio_copy mkv libx264 copy'],
  ['copies a codec that matches', mp4, [into('mp4', h264.encoding)], 'remux mp4 copy copy'],
  ['encodes a codec that does not match', webm, [into('mp4', h264.encoding)], 'encode mp4 libx264 aac'],
  ['encodes if requested, although a copy is possible', mp4, [h264], 'encode mp4 libx264 aac'],
  ['encodes although a later operation requests a copy', mp4, [h264, copied], 'encode mp4 libx264 aac'],
  [
    'encodes for a filter although a copy was requested',
    mp4,
    [copied, flipped],
    'audio_copy mp4 libx264 copy',
  ],
  [
    'replaces an encoder that the container does not support',
    mp4,
    [into('webm'), h264],
    'encode webm libvpx-vp9 libopus',
  ],
  [
    'replaces that encoder in either order of operations',
    mp4,
    [h264, into('webm')],
    'encode webm libvpx-vp9 libopus',
  ],
  ['encodes audio that no container supports', flash, [{}], 'video_copy mp4 copy aac'],
  ['encodes video that no container supports', screen, [{}], 'encode mp4 libx264 aac'],
  [
    'copies supported audio when the video is edited',
    mp4,
    [flipped, into('mkv')],
    'audio_copy mkv libx264 copy',
  ],
])('%s', (_, probe, changes, expected) => {
  expect(choose(probe, ...changes)).toBe(expected)
})

test('adds an audio track to a silent video only if an edit adds audio', () => {
  const audio = [{ index: 1, codec: 'aac', channels: 2 }]
  expect(choose(silent, { ...louder, after: { ...silent, audio } })).toBe('video_copy mp4 copy aac')
  expect(choose(mp4, muted, { ...louder, after: mp4 })).toBe('video_copy mp4 copy aac')
  expect(choose(silent, louder)).toBe('remux mp4 copy -')
})
