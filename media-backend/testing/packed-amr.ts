import { box, number32, replaceBoxes } from './boxes.ts'
import { makeClip } from './clips.ts'
import { withFile } from './describe-image.ts'

/** The header and the size of a 20 ms frame, and the file signature. The frames contain seeded noise. */
const KINDS = {
  amr_nb: { signature: '#!AMR\n', header: 0x3c, frame_bytes: 32, entry: 'samr', rate: 8000 },
  amr_wb: { signature: '#!AMR-WB\n', header: 0x44, frame_bytes: 61, entry: 'sawb', rate: 16000 },
} as const
export type AmrKind = keyof typeof KINDS
/** Some phones declare each frame as a sample of constant size. ffmpeg then reads whole chunks at once. */
export type AmrCount = 'samples' | 'frames'

const FRAMES_PER_SECOND = 50

/** Makes a 3GP clip with several AMR frames per sample, as phones do. ffmpeg itself writes one frame per sample. */
export async function packedAmrClip(
  kind: AmrKind,
  seconds: number,
  frames_per_sample: number,
  { start_seconds = 0, counts = 'samples' }: { start_seconds?: number; counts?: AmrCount } = {},
): Promise<Buffer> {
  const { signature, entry } = KINDS[kind]
  const frames = noiseFrames(kind, seconds * FRAMES_PER_SECOND)
  const clip = await withFile(Buffer.concat([Buffer.from(signature), frames]), (path) =>
    makeClip(`${kind}-${seconds}-${start_seconds}.3gp`, [
      ...['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=176x144:rate=15`],
      ...['-itsoffset', String(start_seconds), '-f', 'amr', '-i', path],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'copy', '-f', '3gp'],
    ]),
  )
  const pack = (offset: number) =>
    replaceBoxes(clip, 'trak', (body) =>
      box(
        'trak',
        body.includes(entry) ? TABLES[counts](body, kind, frames, frames_per_sample, offset) : body,
      ),
    )
  return Buffer.concat([pack(pack(0).length + 8), box('mdat', frames)])
}

const TABLES = { samples: packSamples, frames: countFrames } as const

function packSamples(track: Buffer, kind: AmrKind, frames: Buffer, per_sample: number, at: number): Buffer {
  const { frame_bytes, rate } = KINDS[kind]
  const samples = frames.length / frame_bytes / per_sample
  return replaceTables(track, {
    stts: [0, 1, samples, (rate / FRAMES_PER_SECOND) * per_sample],
    stsz: [0, frame_bytes * per_sample, samples],
    stsc: [0, 1, 1, samples, 1],
    stco: [0, 1, at],
  })
}

function countFrames(track: Buffer, kind: AmrKind, frames: Buffer, per_chunk: number, at: number): Buffer {
  const { frame_bytes, rate } = KINDS[kind]
  const count = frames.length / frame_bytes
  const chunks = Array.from({ length: count / per_chunk }, (_, chunk) => at + chunk * per_chunk * frame_bytes)
  return replaceTables(track, {
    stts: [0, 1, count, rate / FRAMES_PER_SECOND],
    stsz: [0, frame_bytes, count],
    stsc: [0, 1, 1, per_chunk, 1],
    stco: [0, chunks.length, ...chunks],
  })
}

function replaceTables(track: Buffer, tables: Record<string, number[]>): Buffer {
  return Object.entries(tables).reduce(
    (body, [type, values]) => replaceBoxes(body, type, () => box(type, number32(...values))),
    track,
  )
}

function noiseFrames(kind: AmrKind, count: number): Buffer {
  const { header, frame_bytes } = KINDS[kind]
  const frames = Buffer.alloc(count * frame_bytes)
  for (let at = 0, state = 12345; at < frames.length; at += 1) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    frames[at] = at % frame_bytes === 0 ? header : state >> 16
  }
  return frames
}
