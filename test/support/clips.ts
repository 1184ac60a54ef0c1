import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Clip options. The default is a 320x180 MP4 with H.264 video at 25 frames per second and a tone in AAC. */
export interface Clip {
  name: string
  seconds: number
  size?: string
  /** Source of ffmpeg for its audio. False for a clip without audio. */
  audio?: string | false
  /** Output options for ffmpeg that select other codecs. */
  codecs?: readonly string[]
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']

/** Creates a clip with moving colors and a counter, so every frame is unique. */
export async function makeClip(folder: string, clip: Clip): Promise<string> {
  const { name, seconds, size = '320x180', audio = 'sine=frequency=440', codecs = H264 } = clip
  const file = join(folder, name)
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`]
  const sound = audio === false ? [] : ['-f', 'lavfi', '-i', `${audio}:duration=${seconds}`]
  await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...video, ...sound, ...codecs, file])
  return file
}

/** x264 with 4:4:4 chroma, the only chroma format in which it supports odd dimensions. */
export const FULL_COLOR = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', '-c:a', 'aac']
export const WEBM = [
  '-c:v',
  'libvpx',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-g',
  '25',
  '-c:a',
  'libopus',
]
export const MATROSKA = [...H264.slice(0, -2), '-c:a', 'ac3']

/** A clip that takes several seconds to encode on any machine. */
export const LONG_CLIP: Clip = { name: 'long.mp4', seconds: 30, size: '640x360' }

const MATRIX_OFFSET = 44
const QUARTER_TURN = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]

/**
 * Sets the display matrix to 90 degrees clockwise, as phones do. Writes the bytes directly, because ffmpeg versions
 * differ.
 */
export async function rotateClip(file: string): Promise<void> {
  const bytes = await readFile(file)
  const track = bytes.indexOf('tkhd')
  if (track < 0) throw new Error(`${file} has no track header`)
  QUARTER_TURN.forEach((value, index) => {
    bytes.writeInt32BE(value, track + MATRIX_OFFSET + index * 4)
  })
  await writeFile(file, bytes)
}
