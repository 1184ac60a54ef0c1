import { z } from 'zod'
import { duckFilter, type MixedTrack, mixFilters, placeOriginal, placeTrack } from '../../ffmpeg/audio/mix.ts'
import { FIXED_AUDIO_GRAPH } from '../../ffmpeg/audio/uniform-audio.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { type Fragment, videoEdit } from '../../ffmpeg/edit.ts'
import { ffmpegSeconds } from '../../ffmpeg/filters.ts'
import type { AssetFacts, MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import { WebAddress } from '../../planning/web-address.ts'

const TRACKS_MAX = 8
/** Attenuation in dB for `duck: true`. */
const DUCK_DB = 12
/** A loop shorter than this would sound like a buzz. */
const LOOP_SECONDS_MIN = 0.2
/** Music needs a higher bitrate than speech. */
const ENCODER = ['-c:a', 'aac', '-b:a', '192k', '-ac', '2']

const Track = z.strictObject({
  url: WebAddress.describe('URL of an audio file: an upload or a public URL'),
  start: z.number().min(0).default(0).describe('Start time in the video, in seconds'),
  volume: z
    .number()
    .min(0)
    .max(2)
    .default(1)
    .describe('Volume factor: 1 is unchanged, 0.5 half as loud, 2 twice as loud'),
  loop: z.boolean().default(false).describe('Repeats the audio until the video ends'),
  fade_in: z.number().min(0).max(60).default(0).describe('Fade-in in seconds'),
  fade_out: z.number().min(0).max(60).default(0).describe('Fade-out in seconds'),
  duck: z
    .union([z.boolean(), z.number().min(0).max(40)])
    .default(false)
    .describe('Lowers the volume while someone speaks in the video: true by 12 dB, a number by that many dB'),
})
type Track = z.output<typeof Track>

/**
 * Mixes music or a voice into a video. Copies the video stream and mixes the new audio into each audio track.
 * Contract: Video operations, Audio only.
 */
export const add_audio = defineVideoEdit({
  key: 'add_audio',
  stem: 'mixed',
  title: 'Add audio',
  description:
    'Adds music or a voice-over, optionally looped, faded and lowered under speech. The video stream is copied.',
  credits: 3,
  family: null,
  facts: ['probe', 'assets'],
  parameters: z.object({
    tracks: z
      .array(Track)
      .min(1)
      .max(TRACKS_MAX)
      .describe('Audio to add: url (required), start, volume, loop, fade_in, fade_out, duck'),
    original_volume: z
      .number()
      .min(0)
      .max(2)
      .default(1)
      .describe("Volume of the video's own audio: 0 replaces it, 1 keeps it unchanged"),
  }),
  presets: [],
  assets({ tracks }) {
    return tracks.map(({ url }, index) => ({ name: assetName(index), url, kind: 'audio' }))
  },
  edit({ params, facts: { probe, assets } }) {
    const placed: (MixedTrack & { file: string; repeats: number })[] = []
    for (const [index, track] of params.tracks.entries()) {
      const asset = assets[assetName(index)]
      if (asset === undefined)
        return refuse(assetName(index), {
          en: 'the file could not be downloaded. Check its URL',
          uk: 'не вдалося завантажити файл. Перевірте його URL',
          ru: 'не удалось скачать файл. Проверьте его URL',
        })
      const at = place(track, asset, probe, `tracks.${index}`)
      if ('refused' in at) return at
      placed.push({ ...at, file: asset.file })
    }
    const has_audio = probe.audio.length > 0
    return videoEdit(probe, {
      audio: mix(placed, has_audio ? params.original_volume : 0, probe),
      files: placed.map(({ file, repeats }) => ({
        file,
        options: [...FIXED_AUDIO_GRAPH, ...(repeats > 0 ? ['-stream_loop', String(repeats)] : [])],
      })),
      encoding: { audio: ENCODER },
      after: has_audio ? probe : { ...probe, audio: [{ index: 1, codec: 'aac', channels: 2 }] },
    })
  },
})

function assetName(index: number): string {
  return `tracks.${index}.url`
}

function place(
  track: Track,
  { duration_seconds: length, channels = 2 }: AssetFacts,
  { duration_seconds: video_seconds }: MediaProbe,
  field: string,
): (MixedTrack & { repeats: number }) | PlanRefusal {
  const { start, volume, loop, fade_in, fade_out, duck } = track
  if (start >= video_seconds) {
    const seconds = ffmpegSeconds(video_seconds)
    return refuse(`${field}.start`, {
      en: `${field}.start is ${start} s, but the video is only ${seconds} s long`,
      uk: `${field}.start — ${start} с, а відео триває лише ${seconds} с`,
      ru: `${field}.start — ${start} с, а видео длится только ${seconds} с`,
    })
  }
  if (!(length > 0))
    return refuse(`${field}.url`, {
      en: 'the file has no audio that can be played',
      uk: 'у файлі немає звуку, який можна відтворити',
      ru: 'в файле нет звука, который можно воспроизвести',
    })
  if (loop && length < LOOP_SECONDS_MIN) {
    return refuse(`${field}.loop`, {
      en: `audio shorter than ${LOOP_SECONDS_MIN} s cannot be looped`,
      uk: `звук, коротший за ${LOOP_SECONDS_MIN} с, не можна зациклити`,
      ru: `звук короче ${LOOP_SECONDS_MIN} с нельзя зациклить`,
    })
  }
  const rest = video_seconds - start
  return {
    start,
    end: start + (loop ? rest : Math.min(rest, length)),
    volume,
    fade_in,
    fade_out,
    duck_db: duck === true ? DUCK_DB : duck === false ? 0 : duck,
    channels,
    // One more than computed, because a measured duration may be rounded up.
    repeats: loop && length < rest ? Math.ceil(rest / length) : 0,
  }
}

/** Returns the graph that mixes all added tracks into one audio track of the video. */
function mix(
  placed: readonly (MixedTrack & { file: string })[],
  original_volume: number,
  { duration_seconds: video_seconds }: MediaProbe,
): Fragment {
  return ({ input, output, own, file }) => {
    const ducks = (track: MixedTrack) => original_volume > 0 && track.duck_db > 0
    const keys = placed.flatMap((track, index) => (ducks(track) ? [own(`key${index}`)] : []))
    const original = placeOriginal(video_seconds).join(',')
    const parts = [
      keys.length === 0
        ? `${input}${original},volume=${original_volume}${own('original')}`
        : `${input}${original},asplit=${keys.length + 1}${own('plain')}${keys.join('')}`,
      ...(keys.length === 0 ? [] : [`${own('plain')}volume=${original_volume}${own('original')}`]),
      ...placed.flatMap((track, index) => {
        const placed_track = `${file(track.file, 'a')}${placeTrack(track, video_seconds).join(',')}`
        if (!ducks(track)) return [`${placed_track}${own(`track${index}`)}`]
        const [wide, key] = [own(`wide${index}`), own(`endless${index}`)]
        // When one input ends, the compressor drops its buffer, so both inputs are padded first and trimmed
        // afterward.
        const end = `atrim=end=${ffmpegSeconds(video_seconds)}`
        return [
          `${placed_track},apad${wide}`,
          `${own(`key${index}`)}apad${key}`,
          `${wide}${key}${duckFilter(track.duck_db)},${end}${own(`track${index}`)}`,
        ]
      }),
    ]
    const mixed = [own('original'), ...placed.map((_, index) => own(`track${index}`))]
    return [...parts, `${mixed.join('')}${mixFilters(mixed.length).join(',')}${output}`].join(';')
  }
}
