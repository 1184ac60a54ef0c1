import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { type Encoding, videoEdit } from '../../ffmpeg/edit.ts'
import {
  canCopyCodec,
  canCopyVideo,
  holdsCodec,
  type VideoContainer,
} from '../../ffmpeg/output/containers.ts'
import { codecOf, PICTURE_ENCODERS, SOUND_ENCODERS } from '../../ffmpeg/output/encoders.ts'
import type { MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'

type PictureEncoder = keyof typeof PICTURE_ENCODERS
type SoundEncoder = keyof typeof SOUND_ENCODERS

const Parameters = z
  .object({
    format: z.enum(['mp4', 'webm', 'mov', 'mkv']).default('mp4').describe('Container of the result'),
    vcodec: z
      .enum(['libx264', 'libx265', 'libvpx-vp9', 'copy'])
      .optional()
      .describe('Encoder of the picture: H.264, H.265 or VP9; omitted, what the container takes is copied'),
    acodec: z
      .enum(['aac', 'libmp3lame', 'libopus', 'copy'])
      .optional()
      .describe('Encoder of the sound: AAC, MP3 or Opus; omitted, what the container takes is copied'),
  })
  .refine(({ format, vcodec }) => fits(format, vcodec, PICTURE_ENCODERS), {
    path: ['vcodec'],
    error: ({ input }) => misfit(input, 'vcodec'),
  })
  .refine(({ format, acodec }) => fits(format, acodec, SOUND_ENCODERS), {
    path: ['acodec'],
    error: ({ input }) => misfit(input, 'acodec'),
  })

/**
 * Videos, into another container: by codec and container alone, a remux where the codecs fit; else just what
 * doesn't fit is encoded, a video at most 1080p. Contract: Video operations, Encoding.
 */
export const convert = defineVideoEdit({
  key: 'convert',
  stem: 'converted',
  title: 'Convert video',
  description: 'Another container or codec. What fits is copied without loss, only the rest is encoded.',
  credits: 3,
  family: 'convert',
  facts: ['probe'],
  parameters: Parameters,
  presets: [
    { label: 'MP4 for everywhere', params: { format: 'mp4', vcodec: 'libx264', acodec: 'aac' } },
    { label: 'WebM for the web', params: { format: 'webm' } },
    { label: 'H.265: half the size', params: { format: 'mp4', vcodec: 'libx265', acodec: 'aac' } },
    { label: 'Matroska, all as it is', params: { format: 'mkv', vcodec: 'copy', acodec: 'copy' } },
  ],
  edit({ params: { format, vcodec, acodec }, facts: { probe } }) {
    return (
      refuseCopy(format, vcodec, acodec, probe) ??
      videoEdit(probe, {
        encoding: {
          container: format,
          picture: choose(vcodec, PICTURE_ENCODERS),
          sound: choose(acodec, SOUND_ENCODERS),
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
  return holdsCodec(format, codecOf(encoders[name]) ?? name)
}

function misfit(input: unknown, field: 'vcodec' | 'acodec'): string {
  const { format, [field]: encoder } = input as { format: VideoContainer } & Record<string, string>
  const encoders = Object.entries(field === 'vcodec' ? PICTURE_ENCODERS : SOUND_ENCODERS)
  const names = encoders
    .filter(([, options]) => holdsCodec(format, codecOf(options) ?? ''))
    .map(([name]) => name)
  return `a ${format} file cannot hold ${encoder}; it takes ${names.join(', ')} or copy`
}

/** What is asked to be copied is known to be impossible only when the file has been looked at. */
function refuseCopy(
  format: VideoContainer,
  vcodec: PictureEncoder | 'copy' | undefined,
  acodec: SoundEncoder | 'copy' | undefined,
  probe: MediaProbe,
): PlanRefusal | null {
  const { video, audio } = probe
  if (vcodec === 'copy' && !canCopyVideo(probe, format)) {
    if (video.has_unknown_order)
      return refuse(
        'vcodec',
        `copy cannot work: an AVI file does not say in which order its frames are shown`,
      )
    const what = !canCopyCodec(probe, video.codec, format)
      ? video.codec
      : probe.hides_start
        ? 'the hidden frames at the start of this video'
        : 'a turned picture'
    return refuse('vcodec', `copy cannot work: a ${format} file cannot hold ${what}`)
  }
  const odd = audio.find(({ codec }) => !canCopyCodec(probe, codec, format))
  return acodec === 'copy' && odd !== undefined
    ? refuse('acodec', `copy cannot work: a ${format} file cannot hold ${odd.codec}`)
    : null
}
