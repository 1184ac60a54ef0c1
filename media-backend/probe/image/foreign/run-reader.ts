import { failWith } from '../../../runtime/failure.ts'
import { runImageProgram } from '../../../runtime/image-program.ts'
import { holdRoom } from '../../../runtime/image-room.ts'
import type { Run } from '../../../runtime/run.ts'
import { tooManyPixels } from '../../../runtime/sharp.ts'

/** Memory of a program itself, with its libraries. */
const PROGRAM_BYTES = 512 * 1024 ** 2
/** Bytes of an uncompressed pixel in the written file: five channels of 16 bits. */
const WRITTEN_PIXEL_BYTES = 10
const HEAD_SECONDS_MAX = 10

export interface PixelSize {
  width: number
  height: number
}

/** Reads the header of an image with another program, and returns what it prints. */
export async function readHeader(command: string, args: readonly string[], run: Run): Promise<string> {
  const limits = { file_bytes_max: 0, cpu_seconds_max: HEAD_SECONDS_MAX, memory_bytes_max: PROGRAM_BYTES * 2 }
  const { stdout } = await runImageProgram(command, args, run, limits)
  return stdout
}

interface DecodedSize extends PixelSize {
  /** Memory that the program needs for each pixel. */
  pixel_bytes: number
  /** Limit of the CPU time, if it is lower than that of other images. */
  seconds_max?: number
}

/**
 * Decodes an image with another program, in a sandbox and within the limits of its pixels.
 * @param size as the header declares it.
 * @throws JobFailure if the image has too many pixels, or the program exceeds a limit.
 */
export async function decodePixels(
  command: string,
  args: readonly string[],
  { width, height, pixel_bytes, seconds_max = Number.POSITIVE_INFINITY }: DecodedSize,
  run: Run,
): Promise<{ code: number | null; stderr: string }> {
  checkPixels({ width, height }, run)
  const bytes = width * height * pixel_bytes
  return holdRoom(bytes, run, () =>
    runImageProgram(command, args, run, {
      memory_bytes_max: bytes + PROGRAM_BYTES,
      file_bytes_max: width * height * WRITTEN_PIXEL_BYTES + 16 * 1024 ** 2,
      cpu_seconds_max: Math.min(seconds_max, run.environment.IMAGE_SECONDS_MAX),
      variables: ONE_THREAD,
    }),
  )
}

/** Several images on one thread each give a higher throughput than one image on all threads. */
const ONE_THREAD = { OMP_NUM_THREADS: '1', MAGICK_THREAD_LIMIT: '1' }

/** @throws JobFailure if the image has no pixels, or too many. */
export function checkPixels({ width, height }: PixelSize, { environment }: Run): void {
  if (!(width > 0 && height > 0)) throw failWith('image_unreadable')
  if (width * height > environment.IMAGE_PIXELS_MAX) throw tooManyPixels(environment)
}
