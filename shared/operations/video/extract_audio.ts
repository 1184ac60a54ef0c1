import { z } from 'zod'
import { SURROUND_TO_STEREO } from '../../ffmpeg/audio/stereo.ts'
import { containerOptions } from '../../ffmpeg/output/containers.ts'
import type { AudioTrack } from '../../planning/facts.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { AudioBody } from '../../planning/result-body.ts'
import { SOURCE } from '../../planning/steps.ts'
import type { Texts } from '../../text/texts.ts'
import { countText } from '../../text/words.ts'

const BITRATE_KBPS_DEFAULT = 192

/** AAC is stored as M4A. Unlike a raw .aac file, an M4A file has a duration and supports seeking in every player. */
const FILES = { mp3: 'audio.mp3', aac: 'audio.m4a' } as const
const ENCODERS = { mp3: 'libmp3lame', aac: 'aac' } as const

/**
 * Extracts an audio track. Copies it if it already has the requested format, and encodes it otherwise.
 * Contract: Video operations, Encoding.
 */
export const extract_audio = defineOperation({
  service: 'video',
  key: 'extract_audio',
  title: 'Extract audio',
  description:
    'Extracts the audio as MP3, or as AAC in an M4A file. It is copied without loss if it already has that format.',
  credits: 2,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    format: z
      .enum(['mp3', 'aac', 'm4a'])
      .default('mp3')
      .describe('Audio format; aac is stored as .m4a, and m4a is an alias of aac'),
    bitrate_kbps: z
      .int()
      .min(32)
      .max(320)
      .optional()
      .describe('Bitrate for encoding, in kbit/s. Default: the audio is copied if possible, otherwise 192'),
    track: z.int().min(1).max(100).default(1).describe('Number of the audio track; 1 is the first'),
  }),
  presets: [
    { label: 'MP3', params: { format: 'mp3' } },
    { label: 'Small MP3 for speech', params: { format: 'mp3', bitrate_kbps: 64 } },
    { label: 'AAC (M4A)', params: { format: 'aac' } },
  ],
  result_body: AudioBody,
  plan({ params, facts: { probe } }) {
    const format = params.format === 'mp3' ? 'mp3' : 'aac'
    if (probe.audio.length === 0)
      return refuse(null, {
        en: 'The video has no audio track to extract',
        uk: 'У відео немає звукової доріжки для вилучення',
        ru: 'В видео нет звуковой дорожки для извлечения',
      })
    const track = probe.audio[params.track - 1]
    if (track === undefined) return refuse('track', missingTrack(params.track, probe.audio.length))
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

/** Keeps mono, and downmixes more than two channels to stereo, which MP3 and most players expect. */
function encoder({ channels }: AudioTrack, format: 'mp3' | 'aac', bitrate_kbps: number): string[] {
  const kept = channels === 1 ? '1' : '2'
  const downmix = channels > 2 ? ['-af', SURROUND_TO_STEREO] : []
  return [...downmix, '-c:a', ENCODERS[format], '-b:a', `${bitrate_kbps}k`, '-ac', kept]
}

function missingTrack(requested: number, count: number): Texts {
  return {
    en: `track is ${requested}, but the video has only ${countText('en', count, 'audio_track')}`,
    uk: `track — ${requested}, а у відео є лише ${countText('uk', count, 'audio_track')}`,
    ru: `track — ${requested}, а в видео есть только ${countText('ru', count, 'audio_track')}`,
  }
}
