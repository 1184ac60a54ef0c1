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

/** "mode container picture sound", each codec by its encoder, "copy" or "-". */
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
  ['nothing to do is a remux', mp4, [{}], 'remux mp4 copy copy'],
  ['in its own container', webm, [{}], 'remux webm copy copy'],
  ['a stream becomes an MP4', stream, [{}], 'remux mp4 copy copy'],
  ['one with drawn subtitles does not', drawn, [{}], 'remux mkv copy copy'],
  ['unless they stay out', drawn, [{ subtitles: 'none' }], 'remux mp4 copy copy'],
  ['mute copies the picture', mp4, [muted], 'remux mp4 copy -'],
  ['what the sound was does not matter then', surround, [muted], 'remux mkv copy -'],
  ['a picture that changes is encoded, sound too', mp4, [flipped], 'encode mp4 libx264 aac'],
  ['from WebM it becomes an MP4', webm, [flipped], 'encode mp4 libx264 aac'],
  ['sound alone leaves the picture', mp4, [louder], 'video_copy mp4 copy aac'],
  ['sound in a WebM is Opus', webm, [louder], 'video_copy webm copy libopus'],
  ['a cut encodes both', mp4, [cut], 'encode mp4 libx264 aac'],
  ['a silent video stays silent', silent, [flipped], 'encode mp4 libx264 -'],
  ['what muted goes before counts for nothing', mp4, [louder, muted], 'remux mp4 copy -'],
  ['sound that fits a container is copied', mp4, [into('mkv')], 'remux mkv copy copy'],
  ['what does not fit is encoded', mp4, [into('webm')], 'encode webm libvpx-vp9 libopus'],
  ['only that', surround, [into('mp4')], 'video_copy mp4 copy aac'],
  ['a turned picture does not fit Matroska', turned, [into('mkv')], 'audio_copy mkv libx264 copy'],
  ['a codec that is there already is copied', mp4, [into('mp4', h264.encoding)], 'remux mp4 copy copy'],
  ['another is not', webm, [into('mp4', h264.encoding)], 'encode mp4 libx264 aac'],
  ['an order to encode holds without need', mp4, [h264], 'encode mp4 libx264 aac'],
  ['a later copy does not undo an encode', mp4, [h264, copied], 'encode mp4 libx264 aac'],
  ['a filter is stronger than copy', mp4, [copied, flipped], 'audio_copy mp4 libx264 copy'],
  [
    'an encoder that the container cannot hold gives way',
    mp4,
    [into('webm'), h264],
    'encode webm libvpx-vp9 libopus',
  ],
  ['in either order', mp4, [h264, into('webm')], 'encode webm libvpx-vp9 libopus'],
  ['audio that no container holds is encoded', flash, [{}], 'video_copy mp4 copy aac'],
  ['video that no container holds is encoded', screen, [{}], 'encode mp4 libx264 aac'],
  ['an edited picture with sound that fits', mp4, [flipped, into('mkv')], 'audio_copy mkv libx264 copy'],
])('%s', (_, probe, changes, expected) => {
  expect(choose(probe, ...changes)).toBe(expected)
})

test('a silent video gets sound by an edit that says so', () => {
  const audio = [{ index: 1, codec: 'aac', channels: 2 }]
  expect(choose(silent, { ...louder, after: { ...silent, audio } })).toBe('video_copy mp4 copy aac')
  expect(choose(mp4, muted, { ...louder, after: mp4 })).toBe('video_copy mp4 copy aac')
  expect(choose(silent, louder)).toBe('remux mp4 copy -')
})
