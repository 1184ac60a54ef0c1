import { z } from 'zod'
import { STEADY_SOUND } from '../../ffmpeg/audio/even-audio.ts'
import { duckFilter, type MixedTrack, mixFilters, placeOriginal, placeTrack } from '../../ffmpeg/audio/mix.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { type Fragment, videoEdit } from '../../ffmpeg/edit.ts'
import { ffmpegSeconds } from '../../ffmpeg/filters.ts'
import type { AssetFacts, MediaProbe } from '../../planning/facts.ts'
import { type PlanRefusal, refuse } from '../../planning/operation.ts'
import { WebAddress } from '../../planning/web-address.ts'

const TRACKS_MAX = 8
/** How far `duck: true` steps back. */
const DUCK_DB = 12
/** What is shorter than this is not repeated: it would be a buzz. */
const LOOP_SECONDS_MIN = 0.2
/** Music is in it: more than speech needs. */
const ENCODER = ['-c:a', 'aac', '-b:a', '192k', '-ac', '2']

const Track = z.strictObject({
  url: WebAddress.describe('Address of a sound file: an upload, or a public one'),
  start: z.number().min(0).default(0).describe('When it begins, in seconds of the video'),
  volume: z.number().min(0).max(2).default(1).describe('1 as it is, 0.5 half as loud, 2 twice'),
  loop: z.boolean().default(false).describe('Repeats it until the video ends'),
  fade_in: z.number().min(0).max(60).default(0).describe('Seconds in which it comes up'),
  fade_out: z.number().min(0).max(60).default(0).describe('Seconds in which it dies away'),
  duck: z
    .union([z.boolean(), z.number().min(0).max(40)])
    .default(false)
    .describe('Steps back while somebody speaks in the video: true by 12 dB, or by this many dB'),
})
type Track = z.output<typeof Track>

/**
 * Videos, with further sound: music, a voice; the video is copied. Each audio track of the video gets it.
 * Contract: Video operations, Audio only.
 */
export const add_audio = defineVideoEdit({
  key: 'add_audio',
  stem: 'mixed',
  title: 'Add audio',
  description: 'Lays music or a voice under the video, looped, faded, quieter under speech; picture copied.',
  credits: 3,
  family: null,
  facts: ['probe', 'assets'],
  parameters: z.object({
    tracks: z
      .array(Track)
      .min(1)
      .max(TRACKS_MAX)
      .describe('What is added: url, start, volume, loop, fade_in, fade_out, duck; only url is needed'),
    original_volume: z
      .number()
      .min(0)
      .max(2)
      .default(1)
      .describe("Volume of the video's own sound: 0 replaces it, 1 leaves it as it is"),
  }),
  presets: [],
  assets({ tracks }) {
    return tracks.map(({ url }, index) => ({ name: assetName(index), url, kind: 'audio' }))
  },
  edit({ params, facts: { probe, assets } }) {
    const placed: (MixedTrack & { file: string; repeats: number })[] = []
    for (const [index, track] of params.tracks.entries()) {
      const asset = assets[assetName(index)]
      if (asset === undefined) return refuse(assetName(index), 'the file could not be fetched')
      const at = place(track, asset, probe, `tracks.${index}`)
      if ('refused' in at) return at
      placed.push({ ...at, file: asset.file })
    }
    const is_heard = probe.audio.length > 0
    return videoEdit(probe, {
      sound: mix(placed, is_heard ? params.original_volume : 0, probe),
      files: placed.map(({ file, repeats }) => ({
        file,
        options: [...STEADY_SOUND, ...(repeats > 0 ? ['-stream_loop', String(repeats)] : [])],
      })),
      encoding: { sound: ENCODER },
      after: is_heard ? probe : { ...probe, audio: [{ index: 1, codec: 'aac', channels: 2 }] },
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
    return refuse(`${field}.start`, `is ${start} s, but the video is only ${seconds} s long`)
  }
  if (!(length > 0)) return refuse(`${field}.url`, 'the file has no sound that can be played')
  if (loop && length < LOOP_SECONDS_MIN) {
    return refuse(
      `${field}.loop`,
      `the sound is shorter than ${LOOP_SECONDS_MIN} s, so it cannot be repeated`,
    )
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
    // One more than is needed: a length may be rounded up.
    repeats: loop && length < rest ? Math.ceil(rest / length) : 0,
  }
}

/** The graph of one sound track of the video with all that is added to it. */
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
        const laid = `${file(track.file, 'a')}${placeTrack(track, video_seconds).join(',')}`
        if (!ducks(track)) return [`${laid}${own(`track${index}`)}`]
        const [wide, key] = [own(`wide${index}`), own(`endless${index}`)]
        // The compressor drops what it holds when one of its inputs ends: neither ends before it is cut.
        const end = `atrim=end=${ffmpegSeconds(video_seconds)}`
        return [
          `${laid},apad${wide}`,
          `${own(`key${index}`)}apad${key}`,
          `${wide}${key}${duckFilter(track.duck_db)},${end}${own(`track${index}`)}`,
        ]
      }),
    ]
    const mixed = [own('original'), ...placed.map((_, index) => own(`track${index}`))]
    return [...parts, `${mixed.join('')}${mixFilters(mixed.length).join(',')}${output}`].join(';')
  }
}
