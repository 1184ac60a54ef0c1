import { z } from 'zod'
import { ffmpegSeconds, secondsInWords } from '../../ffmpeg/filters.ts'
import { containerOptions } from '../../ffmpeg/output/containers.ts'
import { Duration, LinkUrl, Start } from '../../links/parameters.ts'
import { LINK_SECTIONS } from '../../links/section-schemas.ts'
import { describeInfo } from '../../links/sections.ts'
import type { LinkMedia } from '../../planning/facts.ts'
import type { Extension } from '../../planning/formats.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { AudioBody } from '../../planning/result-body.ts'
import { SOURCE } from '../../planning/steps.ts'
import type { Texts } from '../../text/texts.ts'

const CODECS = { m4a: 'aac', mp3: 'mp3', opus: 'opus' } as const

/** Maps each codec to the file extension for a copy; all other codecs are copied into Matroska. */
const EXTENSIONS: Readonly<Record<string, Extension>> = {
  aac: 'm4a',
  alac: 'm4a',
  mp3: 'mp3',
  opus: 'opus',
  vorbis: 'ogg',
}

/** Downloads the audio of a link (Contract: Link operations; Encoding, No encoder). */
export const download_audio = defineOperation({
  service: 'video',
  key: 'download_audio',
  title: 'Download audio',
  description: 'Downloads the audio of a link in the format that the site provides, without re-encoding.',
  credits: 2,
  accepts: ['link'],
  family: null,
  facts: ['link'],
  parameters: z.object({
    url: LinkUrl,
    audio_format: z
      .enum(['best', 'm4a', 'mp3', 'opus'])
      .default('best')
      .describe(
        'Format to select from those that the site provides; audio is not converted. best accepts any format',
      ),
    start: Start,
    duration: Duration,
  }),
  presets: [],
  result_body: AudioBody.extend({ info: LINK_SECTIONS.info }),
  enabled_by_default: false,
  link({ audio_format }) {
    const audio_codec = audio_format === 'best' ? null : CODECS[audio_format]
    return { media: 'audio', lines_max: null, audio_codec, comments_max: 0, processes: false }
  },
  plan({ params, facts: { link } }) {
    const { info, media } = link
    const track = media?.audio[0]
    if (media === null || track === undefined)
      return refuse('url', {
        en: 'the video has no audio track',
        uk: 'у відео немає звукової доріжки',
        ru: 'в видео нет звуковой дорожки',
      })
    const { start, audio_format } = params
    if (audio_format !== 'best' && track.codec !== CODECS[audio_format]) {
      return refuse('audio_format', unavailable(audio_format, track.codec))
    }
    const rest = media.duration_seconds - start
    if (start > 0 && rest <= 0) return refuse('start', startBeyondEnd(start, media))
    const seconds = Math.min(params.duration ?? rest, rest)
    const file = `audio.${EXTENSIONS[track.codec] ?? 'mkv'}`
    return {
      encode_mode: 'remux',
      steps: [
        {
          kind: 'ffmpeg',
          inputs: [
            {
              file: SOURCE,
              options: ['-fflags', '+genpts', ...(start > 0 ? ['-ss', ffmpegSeconds(start)] : [])],
            },
          ],
          filter_graph: null,
          output: {
            file,
            options: [
              ...['-map', `0:${track.index}`, '-c', 'copy'],
              ...(seconds < rest ? ['-t', ffmpegSeconds(seconds)] : []),
              ...containerOptions(file),
            ],
          },
          output_duration_seconds: seconds,
        },
      ],
      outputs: [{ file }],
      body: { info: describeInfo(info) },
      input_name: info.title ?? 'audio',
    }
  },
})

function unavailable(requested: string, codec: string): Texts {
  const provided = Object.entries(CODECS).find(([, known]) => known === codec)?.[0] ?? codec
  return {
    en: `the site provides no ${requested} audio, only ${provided}. Use ${provided} or best`,
    uk: `сайт не надає звуку у форматі ${requested}, лише ${provided}. Використайте ${provided} або best`,
    ru: `сайт не предоставляет звук в формате ${requested}, только ${provided}. Используйте ${provided} или best`,
  }
}

function startBeyondEnd(start: number, { duration_seconds }: LinkMedia): Texts {
  const length = secondsInWords(duration_seconds)
  return {
    en: `start is ${start} s, but the audio is only ${length} s long`,
    uk: `start — ${start} с, а звук триває лише ${length} с`,
    ru: `start — ${start} с, а звук длится только ${length} с`,
  }
}
