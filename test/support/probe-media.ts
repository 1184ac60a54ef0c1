import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'

const execute = promisify(execFile)

const Stream = z.looseObject({
  codec_type: z.string(),
  codec_name: z.string(),
  width: z.int().optional(),
  height: z.int().optional(),
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  side_data_list: z.array(z.looseObject({ rotation: z.number().optional() })).default([]),
})
const Media = z.object({
  format: z.looseObject({ format_name: z.string(), duration: z.coerce.number() }),
  streams: z.array(Stream),
})
const Packets = z.object({
  packets: z.array(z.looseObject({ codec_type: z.string(), data_hash: z.string(), flags: z.string() })),
})

async function probe(file: string, options: string[]): Promise<unknown> {
  const args = ['-v', 'error', '-of', 'json', ...options, file]
  const { stdout } = await execute('ffprobe', args, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout)
}

/** Reads a file's container, duration, video, and audio with ffprobe. */
export async function describeMedia(file: string) {
  const { format, streams } = Media.parse(await probe(file, ['-show_format', '-show_streams']))
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  return {
    container: format.format_name,
    seconds: format.duration,
    video: video && {
      codec: video.codec_name,
      width: video.width,
      height: video.height,
      pixel_format: video.pix_fmt,
      /** Rotation in degrees, as ffprobe reports it: -90 means 90 degrees clockwise. */
      rotation: video.side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0,
    },
    audio: audio?.codec_name ?? null,
  }
}

/** Lists a track's packets, each with its hash and whether it is a keyframe. */
export async function hashPackets(file: string, kind: 'video' | 'audio') {
  const { packets } = Packets.parse(await probe(file, ['-show_packets', '-show_data_hash', 'md5']))
  return packets
    .filter(({ codec_type }) => codec_type === kind)
    .map(({ data_hash, flags }) => ({ hash: data_hash, is_key: flags.startsWith('K') }))
}

/** Lists the names of an MP4's top-level boxes in order. */
export async function listBoxes(file: string): Promise<string[]> {
  const bytes = await readFile(file)
  const names: string[] = []
  for (let offset = 0; offset + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(offset)
    names.push(bytes.toString('latin1', offset + 4, offset + 8))
    if (size < 8) break
    offset += size
  }
  return names
}

const [COLUMNS, ROWS] = [80, 45]

/** Decodes every frame as players show it, downscaled and in grayscale for comparison. */
export async function decodeFrames(file: string): Promise<Buffer[]> {
  const filter = `scale=${COLUMNS}:${ROWS}:flags=area`
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-map',
    '0:v:0',
    '-vf',
    filter,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    '-',
  ]
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })
  const size = COLUMNS * ROWS
  return Array.from({ length: stdout.length / size }, (_, index) =>
    stdout.subarray(index * size, (index + 1) * size),
  )
}

/** @returns the index of the frame that is most similar to `wanted` */
export function findFrame(frames: readonly Buffer[], wanted: Buffer | undefined): number {
  if (wanted === undefined) return -1
  const distances = frames.map((frame) =>
    frame.reduce((sum, value, index) => sum + Math.abs(value - (wanted[index] ?? 0)), 0),
  )
  return distances.indexOf(Math.min(...distances))
}
