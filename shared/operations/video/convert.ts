import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { type Encoding, videoEdit } from '../../ffmpeg/edit.ts'
import {
  canCopyCodec,
  canCopyVideo,
  supportsCodec,
  type VideoContainer,
} from '../../ffmpeg/output/containers.ts'
import { AUDIO_ENCODERS, codecOf, VIDEO_ENCODERS, VIDEO_RATES } from '../../ffmpeg/output/encoders.ts'
import type { MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import { packTexts, type Texts, writeTexts } from '../../text/texts.ts'

type VideoEncoder = keyof typeof VIDEO_ENCODERS
type AudioEncoder = keyof typeof AUDIO_ENCODERS

const Parameters = z
  .object({
    format: z.enum(['mp4', 'webm', 'mov', 'mkv']).default('mp4').describe('Output container'),
    vcodec: z
      .enum(['libx264', 'libx265', 'libvpx-vp9', 'copy'])
      .optional()
      .describe(
        'Video encoder: H.264, H.265 or VP9. Default: the video is copied if the container supports its codec',
      ),
    acodec: z
      .enum(['aac', 'libmp3lame', 'libopus', 'copy'])
      .optional()
      .describe(
        'Audio encoder: AAC, MP3 or Opus. Default: the audio is copied if the container supports its codec',
      ),
  })
  .refine(({ format, vcodec }) => fits(format, vcodec, VIDEO_ENCODERS), {
    path: ['vcodec'],
    error: ({ input }) => packTexts(unsupportedEncoder(input, 'vcodec')),
  })
  .refine(({ format, acodec }) => fits(format, acodec, AUDIO_ENCODERS), {
    path: ['acodec'],
    error: ({ input }) => packTexts(unsupportedEncoder(input, 'acodec')),
  })

/**
 * Converts a video to another container or codec. Copies the streams that the container supports and encodes the
 * others; encoded video is capped at 1080p. Contract: Video operations, Encoding.
 */
export const convert = defineVideoEdit({
  key: 'convert',
  stem: 'converted',
  title: 'Convert video',
  description:
    'Converts the container or the codecs. Streams that fit are copied without loss; only the others are encoded.',
  credits: 3,
  family: 'convert',
  facts: ['probe'],
  parameters: Parameters,
  presets: [
    { label: 'MP4 for all devices', params: { format: 'mp4', vcodec: 'libx264', acodec: 'aac' } },
    { label: 'WebM for the web', params: { format: 'webm' } },
    { label: 'H.265: about the size of H.264', params: { format: 'mp4', vcodec: 'libx265', acodec: 'aac' } },
    { label: 'Matroska without re-encoding', params: { format: 'mkv', vcodec: 'copy', acodec: 'copy' } },
  ],
  edit({ params: { format, vcodec, acodec }, facts: { probe } }) {
    return (
      refuseCopy(format, vcodec, acodec, probe) ??
      videoEdit(probe, {
        encoding: {
          container: format,
          video: choose(vcodec, VIDEO_ENCODERS),
          ...(vcodec !== undefined && vcodec !== 'copy' && { rate: VIDEO_RATES[vcodec] }),
          audio: choose(acodec, AUDIO_ENCODERS),
          only_where_needed: true,
        } satisfies Encoding,
      })
    )
  },
})

function choose<Name extends string>(
  name: Name | 'copy' | undefined,
  encoders: Record<Name, string[]>,
): string[] | 'copy' | undefined {
  if (name === undefined) return undefined
  return name === 'copy' ? 'copy' : encoders[name as Name]
}

function fits<Name extends string>(
  format: VideoContainer,
  name: Name | 'copy' | undefined,
  encoders: Record<Name, string[]>,
): boolean {
  if (name === undefined || name === 'copy') return true
  return supportsCodec(format, codecOf(encoders[name]) ?? name)
}

function unsupportedEncoder(input: unknown, field: 'vcodec' | 'acodec'): Texts {
  const { format, [field]: encoder } = input as { format: VideoContainer } & Record<string, string>
  const encoders = Object.entries(field === 'vcodec' ? VIDEO_ENCODERS : AUDIO_ENCODERS)
  const names = encoders
    .filter(([, options]) => supportsCodec(format, codecOf(options) ?? ''))
    .map(([name]) => name)
  const list = names.join(', ')
  return {
    en: `${format} does not support ${encoder}. Use ${list} or copy`,
    uk: `${format} не підтримує ${encoder}. Використайте ${list} або copy`,
    ru: `${format} не поддерживает ${encoder}. Используйте ${list} или copy`,
  }
}

const HIDDEN_FRAMES: Texts = {
  en: 'the hidden frames of this video',
  uk: 'приховані кадри цього відео',
  ru: 'скрытые кадры этого видео',
}

const ROTATION: Texts = {
  en: 'rotation metadata',
  uk: 'метадані повороту',
  ru: 'метаданные поворота',
}

function cannotCopy(format: VideoContainer, what: Texts): Texts {
  return {
    en: `copy is not possible: ${format} does not support ${what.en}. Choose an encoder or another format`,
    uk: `copy неможливе: ${format} не підтримує ${what.uk}. Виберіть кодувальник або інший формат`,
    ru: `copy невозможно: ${format} не поддерживает ${what.ru}. Выберите кодировщик или другой формат`,
  }
}

/** Refuses a copy that the container does not support. Only the probe shows which codecs the input has. */
function refuseCopy(
  format: VideoContainer,
  vcodec: VideoEncoder | 'copy' | undefined,
  acodec: AudioEncoder | 'copy' | undefined,
  probe: MediaProbe,
): PlanRefusal | null {
  const { video, audio } = probe
  if (vcodec === 'copy' && !canCopyVideo(probe, format)) {
    if (video.lacks_display_times)
      return refuse('vcodec', {
        en: 'copy is not possible: this file stores no presentation timestamps. Choose an encoder',
        uk: 'copy неможливе: файл не містить часових позначок показу. Виберіть кодувальник',
        ru: 'copy невозможно: файл не содержит временных меток показа. Выберите кодировщик',
      })
    const what = !canCopyCodec(probe, video.codec, format)
      ? writeTexts(() => video.codec)
      : probe.hides_start || probe.hides_end
        ? HIDDEN_FRAMES
        : ROTATION
    return refuse('vcodec', cannotCopy(format, what))
  }
  const unsupported = audio.find(({ codec }) => !canCopyCodec(probe, codec, format))
  return acodec === 'copy' && unsupported !== undefined
    ? refuse(
        'acodec',
        cannotCopy(
          format,
          writeTexts(() => unsupported.codec),
        ),
      )
    : null
}
