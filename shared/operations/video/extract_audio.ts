import { z } from 'zod'
import { containerOptions } from '../../ffmpeg/output/containers.ts'
import type { AudioTrack } from '../../planning/facts.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { SOURCE } from '../../planning/steps.ts'

const BITRATE_KBPS_DEFAULT = 192

/** AAC goes into an M4A: unlike a bare .aac file it says how long it is, and every player can seek in it. */
const FILES = { mp3: 'audio.mp3', aac: 'audio.m4a' } as const
const ENCODERS = { mp3: 'libmp3lame', aac: 'aac' } as const

/**
 * Videos, to their audio: a remux when the track already has the format, else encoded.
 * Contract: Video operations, Encoding.
 */
export const extract_audio = defineOperation({
  service: 'video',
  key: 'extract_audio',
  title: 'Extract audio',
  description:
    'Takes the sound out as an MP3, or as AAC in an M4A; copied without loss where it is that already.',
  credits: 2,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    format: z
      .enum(['mp3', 'aac', 'm4a'])
      .default('mp3')
      .describe('Format of the sound; aac comes as an .m4a file, and m4a is the same as aac'),
    bitrate_kbps: z
      .int()
      .min(32)
      .max(320)
      .optional()
      .describe('Encodes at this rate; omitted, the sound is copied where it can be, else 192'),
    track: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('Which sound track, where there are several; 1 is the first'),
  }),
  presets: [
    { label: 'MP3', params: { format: 'mp3' } },
    { label: 'MP3, small, for speech', params: { format: 'mp3', bitrate_kbps: 64 } },
    { label: 'AAC (M4A)', params: { format: 'aac' } },
  ],
  plan({ params, facts: { probe } }) {
    const format = params.format === 'mp3' ? 'mp3' : 'aac'
    if (probe.audio.length === 0) return refuse(null, 'The video has no sound that could be extracted')
    const track = probe.audio[params.track - 1]
    if (track === undefined) return refuse('track', trackSentence(params.track, probe.audio.length))
    const is_copy = track.codec === format && params.bitrate_kbps === undefined
    const file = FILES[format]
    const codec = is_copy
      ? ['-c:a', 'copy']
      : encoder(track, format, params.bitrate_kbps ?? BITRATE_KBPS_DEFAULT)
    return {
      encode_mode: is_copy ? 'remux' : 'encode',
      steps: [
        {
          kind: 'ffmpeg',
          inputs: [{ file: SOURCE, options: ['-fflags', '+genpts'] }],
          filter_graph: null,
          output: {
            file,
            options: ['-map', `0:${track.index}`, ...codec, ...containerOptions(file)],
          },
          output_duration_seconds: probe.duration_seconds,
        },
      ],
      outputs: [{ file }],
    }
  },
})

/** Mono stays mono; more than two channels are mixed down, as MP3 and most players want it. */
function encoder({ channels }: AudioTrack, format: 'mp3' | 'aac', bitrate_kbps: number): string[] {
  const kept = channels === 1 ? '1' : '2'
  return ['-c:a', ENCODERS[format], '-b:a', `${bitrate_kbps}k`, '-ac', kept]
}

function trackSentence(asked: number, count: number): string {
  return `track is ${asked}, but the video has ${count === 1 ? 'one sound track' : `${count} sound tracks`}`
}
