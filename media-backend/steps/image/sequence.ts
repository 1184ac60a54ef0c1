import { convertColors } from '../../../shared/ffmpeg/video/colors.ts'
import type { SequenceStep } from '../../../shared/planning/steps.ts'
import { failWith } from '../../runtime/failure.ts'
import { fileUrl } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runImageProgram } from '../../runtime/image-program.ts'
import { holdRoom } from '../../runtime/image-room.ts'
import type { Run } from '../../runtime/run.ts'
import { CorruptImage } from '../../strip/bytes.ts'
import { stripImage } from '../../strip/index.ts'
import { setTotalDuration } from './webp-timing.ts'

/** Memory per pixel for two frames in ffmpeg and the WebP encoder, and for the growing file. */
const PIXEL_BYTES = 16
const ALIGNMENT = 128
const BARE = 'bare.png'

/**
 * Decodes an animation with ffmpeg and preserves its transparency and frame timing.
 * @throws JobFailure if the animation cannot be decoded.
 */
export async function decodeSequence(step: SequenceStep, run: Run): Promise<void> {
  const { size, frames } = step
  const input = await readableInput(step, run)
  const bytes = size.width * size.height * frames * PIXEL_BYTES
  const { code } = await holdRoom(bytes, run, () =>
    runImageProgram('ffmpeg', sequenceArguments({ ...step, input }, run.folder), run, {
      // ffmpeg's threads reserve address space that they never use.
      memory_bytes_max: 2 * bytes + 3 * 1024 ** 3,
      file_bytes_max: bytes + 16 * 1024 ** 2,
      cpu_seconds_max: run.environment.IMAGE_SECONDS_MAX,
    }),
  )
  if (code !== 0) throw failWith('image_unreadable')
  await setTotalDuration(fileIn(run.folder, step.output.file), step.sequence.duration_ms)
}

/** Removes text and EXIF between the frames of a PNG, because ffmpeg cannot read files that contain them. */
async function readableInput({ input, sequence }: SequenceStep, run: Run): Promise<string> {
  if (sequence.container !== 'png') return input
  const source = { input: fileIn(run.folder, input), format: 'png', orientation: 1 }
  await stripImage(source, fileIn(run.folder, BARE), run.signal).catch((error: unknown) => {
    throw error instanceof CorruptImage ? failWith('image_unreadable') : error
  })
  return BARE
}

function sequenceArguments(step: SequenceStep, folder: string): string[] {
  const { input, sequence, size, frames, output } = step
  const { container, color_stream, alpha_stream, loop } = sequence
  const demuxer = container === 'png' ? 'apng' : 'mov'
  // Like browsers, shows frames with a delay of 10 ms or less for 100 ms.
  const rates = container === 'png' ? ['-max_fps', '99', '-default_fps', '10'] : []
  const guard = ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer, ...rates]
  // Decoders round up the width and height of a frame for their buffers.
  const bound = ['-max_pixels', String((size.width + ALIGNMENT) * (size.height + ALIGNMENT))]
  const converted = sequence.colors === undefined ? [] : convertColors({ ...size, ...sequence.colors }, size)
  const color = `[0:${color_stream}]${['null', ...converted].join(',')}`
  const graph = alpha_stream === null ? color : `${color}[colors];[colors][0:${alpha_stream}]alphamerge`
  return [
    ...[
      '-hide_banner',
      '-nostdin',
      '-y',
      '-v',
      'error',
      '-xerror',
      ...guard,
      ...bound,
      '-i',
      fileUrl(folder, input),
    ],
    ...['-filter_complex', `${graph},format=bgra[frames]`, '-map', '[frames]', '-frames:v', String(frames)],
    // WebP times are in milliseconds. Without this time base, the encoder would guess a frame rate.
    ...[
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      '1:1000',
      '-c:v',
      'libwebp_anim',
      '-lossless',
      '1',
      '-compression_level',
      '1',
    ],
    ...['-loop', String(loop), '-f', 'webp', fileUrl(folder, output.file)],
  ]
}
