import type { Reading } from './read-file.ts'
import { runProgram } from './run-program.ts'

/** A part of a frame, as fractions of its width and height. */
export interface Region {
  x: number
  y: number
  width: number
  height: number
}

export type Turn = 'none' | 'half' | 'mirror'

/** Cells along each side of a grid. Each cell holds the mean color of its part of a frame. */
export const GRID = 12
export const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 }
const FRAME_BYTES = GRID * GRID * 3

/**
 * Drops the frames that an edit list hides. ffmpeg decodes those that follow a keyframe and gives them negative
 * timestamps.
 */
function displayedFrames({ container }: Reading): string[] {
  return container.includes('mp4') ? ["select='gte(t,-0.001)'"] : []
}

/** Reads the grids of all frames, in display order. */
export async function readGrids(reading: Reading, region: Region = WHOLE): Promise<Buffer[]> {
  const { path, video } = reading
  if (video === null) return []
  const { x, y, width, height } = region
  const crop = region === WHOLE ? [] : [`crop=iw*${width}:ih*${height}:iw*${x}:ih*${y}`]
  // Players assume BT.709 for untagged HD video. ffmpeg assumes BT.601 for all untagged video.
  const matrix = video.is_untagged_hd && !video.is_rgb ? ':in_color_matrix=bt709' : ''
  const deinterlace = video.is_interlaced ? ['bwdif=mode=send_frame'] : []
  const filters = [
    ...displayedFrames(reading),
    ...deinterlace,
    ...crop,
    `scale=${GRID}:${GRID}:flags=area+full_chroma_inp+full_chroma_int+accurate_rnd${matrix}`,
    'format=rgb24',
  ]
  const write = ['-vf', filters.join(','), '-fps_mode', 'passthrough', '-f', 'rawvideo', '-']
  const { stdout } = await runProgram('ffmpeg', [
    ...['-v', 'quiet', '-i', path, '-map', `0:${video.index}`],
    ...write,
  ]).catch(() => ({ stdout: Buffer.alloc(0) }))
  const count = Math.floor(stdout.length / FRAME_BYTES)
  return Array.from({ length: count }, (_, index) =>
    stdout.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES),
  )
}

/** Returns the grid of the frame after it is rotated by 180° (`half`) or mirrored horizontally (`mirror`). */
export function turnGrid(grid: Buffer, turn: Turn): Buffer {
  if (turn === 'none') return grid
  const turned = Buffer.alloc(FRAME_BYTES)
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) {
      const from = (turn === 'half' ? GRID - 1 - row : row) * GRID + (GRID - 1 - column)
      grid.copy(turned, (row * GRID + column) * 3, from * 3, from * 3 + 3)
    }
  return turned
}

/** Returns the mean color difference between two grids, from 0 to 255. */
export function gridDistance(one: Buffer, other: Buffer): number {
  let sum = 0
  for (let index = 0; index < FRAME_BYTES; index += 1)
    sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0))
  return sum / FRAME_BYTES
}

/** Hashes the decoded frames. Bit-identical copies have equal hashes in any container. */
export async function hashFrames(reading: Reading): Promise<string[]> {
  const args = ['-v', 'quiet', '-i', reading.path, '-map', `0:${reading.video?.index}`]
  const write = ['-vf', ['null', ...displayedFrames(reading)].join(','), '-fps_mode', 'passthrough']
  const { stdout } = await runProgram('ffmpeg', [...args, ...write, '-f', 'framemd5', '-'])
  const lines = stdout.toString().split('\n')
  return lines.flatMap((line) => (/^\d/.test(line) ? (line.split(',').at(-1)?.trim() ?? '') : []))
}

/**
 * Hashes the audio packets. The ADTS headers of AAC are removed, because MP4 and Matroska store them once per file.
 */
export async function hashAudio({ audio }: Reading): Promise<string> {
  const filter = audio?.codec === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : []
  const args = ['-v', 'quiet', '-i', audio?.path ?? '', '-map', `0:${audio?.index}`, '-c', 'copy', ...filter]
  const { stdout } = await runProgram('ffmpeg', [...args, '-f', 'hash', '-'])
  return stdout.toString().trim()
}
