import type { SequenceStep } from '../../shared/operations/steps.ts'
import { JobFailure } from '../failure.ts'
import type { Run } from '../job.ts'
import { fileUrl } from './ffmpeg-command.ts'
import { runImageProgram } from './image-program.ts'
import { holdRoom } from './image-room.ts'
import { UNREADABLE_IMAGE } from './sharp.ts'

/** What ffmpeg and the WebP encoder hold of each pixel of two frames, and of the file that grows. */
const PIXEL_BYTES = 16

/**
 * Decodes an animation by ffmpeg, with its transparency and the times of its frames.
 * @throws JobFailure when it can't be decoded.
 */
export async function decodeSequence(step: SequenceStep, run: Run): Promise<void> {
  const { size, frames } = step
  const bytes = size.width * size.height * frames * PIXEL_BYTES
  const { code } = await holdRoom(bytes, run, () =>
    runImageProgram('ffmpeg', sequenceArguments(step, run.folder), run, {
      // Its threads reserve addresses that they never use.
      memory_bytes_max: 2 * bytes + 3 * 1024 ** 3,
      file_bytes_max: bytes + 16 * 1024 ** 2,
      cpu_seconds_max: run.environment.IMAGE_SECONDS_MAX,
    }),
  )
  if (code !== 0) throw new JobFailure('input_unreadable', UNREADABLE_IMAGE)
}

function sequenceArguments(step: SequenceStep, folder: string): string[] {
  const { input, sequence, size, frames, output } = step
  const { container, color_stream, alpha_stream, loop } = sequence
  const demuxer = container === 'png' ? 'apng' : 'mov'
  const guard = ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer]
  const bound = ['-max_pixels', String(size.width * size.height)]
  const color = `[0:${color_stream}]`
  const graph = alpha_stream === null ? `${color}null` : `${color}[0:${alpha_stream}]alphamerge`
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
    ...['-fps_mode', 'passthrough', '-c:v', 'libwebp_anim', '-lossless', '1', '-compression_level', '1'],
    ...['-loop', String(loop), '-f', 'webp', fileUrl(folder, output.file)],
  ]
}
