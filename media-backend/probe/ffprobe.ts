import { z } from 'zod'
import { KEPT_TAGS } from '../../shared/ffmpeg/output/metadata.ts'
import { SHORT_PROBE } from '../../shared/ffmpeg/video/short-probe.ts'
import { failWith } from '../runtime/failure.ts'
import { processLimits } from '../runtime/ffmpeg.ts'
import { guardedInput } from '../runtime/ffmpeg-command.ts'
import { runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import { KEY_TAG } from './protection.ts'
import { isTransportStream } from './timing/clock-samples.ts'
import { TIME_TAGS } from './timing/time-tags.ts'

const Fraction = z.string().transform((text) => {
  const [above = 0, below = 1] = text.split(/[:/]/).map(Number)
  return above > 0 && below > 0 ? above / below : null
})
const Seconds = z.coerce.number().positive().nullish().catch(null)

const Start = z.coerce.number().nullish().catch(null)

const Bytes = z.coerce.number().int().positive().optional().catch(undefined)

const TAG_LENGTH_MAX = 1000

/** The tags that results keep. Values longer than any camera writes are dropped. */
const Tags = z
  .record(z.string(), z.string())
  .default({})
  .transform((tags) =>
    Object.fromEntries(
      Object.entries(tags).filter(
        ([name, text]) => KEPT_TAGS.includes(name) && text.length <= TAG_LENGTH_MAX,
      ),
    ),
  )

/** An ffprobe value. Placeholders for a missing value become null. */
const Tag = z
  .string()
  .nullish()
  .transform((word) => (word === undefined || word === 'unknown' || word === 'reserved' ? null : word))

/** ffprobe prints a display matrix as three numbered lines with three numbers each. `dv` stands for Dolby Vision. */
const SideData = z.looseObject({
  rotation: z.number().optional(),
  displaymatrix: z.string().optional(),
  dv_profile: z.int().optional(),
  dv_bl_signal_compatibility_id: z.int().optional(),
})

const Stream = z.object({
  index: z.int(),
  codec_type: z.string().catch('unknown'),
  codec_name: z.string().default('unknown'),
  codec_tag_string: z.string().default(''),
  profile: z.string().default(''),
  level: z.int().default(0),
  width: z.int().default(0),
  height: z.int().default(0),
  sample_aspect_ratio: Fraction.nullish(),
  avg_frame_rate: Fraction.nullish(),
  time_base: z.string().optional(),
  r_frame_rate: Fraction.nullish(),
  pix_fmt: z.string().default('unknown'),
  sample_fmt: z.string().default('unknown'),
  color_transfer: Tag,
  color_space: Tag,
  color_primaries: Tag,
  color_range: Tag,
  field_order: z.string().nullish(),
  has_b_frames: z.int().default(0),
  channels: z.int().default(0),
  duration: Seconds,
  nb_frames: z.coerce.number().int().positive().nullish().catch(null),
  duration_ts: z.number().nullish().catch(null),
  start_time: Start,
  disposition: z.record(z.string(), z.int()).default({}),
  side_data_list: z.array(SideData).default([]),
  tags: z.record(z.string(), z.string()).default({}),
})
export type Stream = z.infer<typeof Stream>

const Probe = z.object({
  format: z.object({
    format_name: z.string(),
    start_time: Start,
    duration: Seconds,
    size: Bytes,
    tags: Tags,
  }),
  streams: z.array(Stream),
  chapters: z.array(z.unknown()).default([]),
})

/** Tags that mark a Matroska track as transparent. The spelling varies by ffmpeg version. */
export const ALPHA_TAGS = ['alpha_mode', 'ALPHA_MODE']

/** Requests only the fields that are used, because a file can contain megabytes of tags. */
const ENTRIES = [
  'format=format_name,start_time,duration,size',
  `format_tags=${KEPT_TAGS.join(',')}`,
  `stream=${Object.keys(Stream.shape).join(',')}`,
  `stream_tags=${[...TIME_TAGS, ...ALPHA_TAGS, KEY_TAG].join(',')}`,
  'stream_disposition=default,attached_pic',
  'stream_side_data=rotation,displaymatrix,dv_profile,dv_bl_signal_compatibility_id',
  'chapter=id',
].join(':')
/** Maximum output size: slightly more than the longest output for the maximum number of tracks and chapters. */
const ANSWER_LENGTH_MAX = 512 * 1024
/** Reading the headers takes a fraction of a second. */
const CPU_SECONDS_MAX = 10

/** Signals sent when the machine, rather than the fleet, enforces a memory limit. */
const ENDED_BY_MACHINE = ['SIGKILL', 'SIGTERM']

export type Probe = z.output<typeof Probe>

/**
 * Runs ffprobe with bounded time and memory, no matter what the file contains. For a transport stream that is read
 * by ranges, first tries a short probe, which is sufficient if it finds all tracks.
 * @throws JobFailure if the file is unsupported or prints too much; Error if the machine ended ffprobe.
 */
export async function runFfprobe(path: string, run: Run): Promise<Probe & { has_short_probe?: true }> {
  if (run.source_url !== undefined && (await isTransportStream(path, run))) {
    const probe = await probeWith(path, run, SHORT_PROBE)
    if (probe.streams.length > 0 && probe.streams.every(isComplete))
      return { ...probe, has_short_probe: true }
  }
  return probeWith(path, run, [])
}

function isComplete({ codec_type, codec_name, width, pix_fmt, avg_frame_rate, channels }: Stream): boolean {
  if (codec_type === 'video') return width > 0 && pix_fmt !== 'unknown' && avg_frame_rate != null
  return codec_name !== 'unknown' && (codec_type !== 'audio' || channels > 0)
}

async function probeWith(path: string, run: Run, options: readonly string[]): Promise<Probe> {
  const { guard, url } = guardedInput(path, run)
  const shown = ['-of', 'json=compact=1', '-show_entries', ENTRIES]
  const args = ['-hide_banner', '-v', 'error', ...guard, ...options, ...shown]
  const { code, ended_by, stdout } = await runProcess('ffprobe', [...args, url], {
    limits: { ...processLimits(run.environment), cpu_seconds_max: CPU_SECONDS_MAX },
    folder: run.folder,
    url: run.source_url,
    signal: run.signal,
    text_length_max: ANSWER_LENGTH_MAX,
  })
  if (ended_by === 'SIGXCPU') throw failWith('media_endless')
  if (ended_by !== null && ENDED_BY_MACHINE.includes(ended_by))
    throw new Error(`ffprobe ended by ${ended_by}`)
  const probe = code === 0 ? Probe.safeParse(parseJson(stdout)) : null
  if (!probe?.success) throw failWith('media_unreadable')
  return stateRate(forgetUnknownLengths(probe.data))
}

/**
 * Containers with a constant frame rate for which ffprobe reports no average rate, or, in version 7.1, a wrong one.
 */
const CONSTANT_RATE = ['ivf', 'dv']

function stateRate(probe: Probe): Probe {
  if (!CONSTANT_RATE.includes(probe.format.format_name)) return probe
  const streams = probe.streams.map((stream) => ({ ...stream, avg_frame_rate: stream.r_frame_rate }))
  return { ...probe, streams }
}

/** Placeholder for an unknown track duration in MP4 files that were written as a stream. */
const UNKNOWN_LENGTH = 2 ** 32 - 1

/** Removes unknown durations. The duration of the file is that of its longest track, so it is unknown too. */
function forgetUnknownLengths(probe: Probe): Probe {
  const isUnknown = ({ duration_ts }: Stream) => duration_ts === UNKNOWN_LENGTH
  if (!probe.format.format_name.startsWith('mov') || !probe.streams.some(isUnknown)) return probe
  return {
    ...probe,
    format: { ...probe.format, duration: null },
    streams: probe.streams.map((stream) => (isUnknown(stream) ? { ...stream, duration: null } : stream)),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
