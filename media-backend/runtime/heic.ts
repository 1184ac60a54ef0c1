import { readdir, rename } from 'node:fs/promises'
import type { HeicStep } from '../../shared/planning/steps.ts'
import { JobFailure } from './failure.ts'
import { fileIn } from './folder.ts'
import { runImageProgram } from './image-program.ts'
import { holdRoom } from './image-room.ts'
import type { Run } from './run.ts'
import { openImage } from './sharp.ts'

/** What heif-convert takes of memory for each pixel: its own planes, and those of the PNG. */
const PIXEL_BYTES = 12

/**
 * Decodes the picture of a HEIC file by libheif's own program, in a process that a broken file can't take
 * us down with. Of several pictures in one file it is the one that the file calls its first.
 * @throws JobFailure when the file can't be decoded.
 */
export async function decodeHeic({ input, output }: HeicStep, run: Run): Promise<void> {
  const header = await openImage(fileIn(run.folder, input), run.environment).metadata()
  const { width, height, pagePrimary = 0 } = header
  const decoded_bytes = width * height * PIXEL_BYTES
  const { code } = await holdRoom(decoded_bytes, run, () =>
    runImageProgram('heif-convert', [input, output.file], run, {
      // Its threads reserve addresses that they never use.
      memory_bytes_max: 2 * decoded_bytes + 3 * 1024 ** 3,
      file_bytes_max: decoded_bytes + 16 * 1024 ** 2,
      cpu_seconds_max: run.environment.IMAGE_SECONDS_MAX,
    }),
  )
  const written = await readdir(run.folder)
  if (code === 0 && written.includes(output.file)) return
  const numbered = output.file.replace(/\.png$/, `-${pagePrimary + 1}.png`)
  if (code === 0 && written.includes(numbered))
    return rename(fileIn(run.folder, numbered), fileIn(run.folder, output.file))
  throw new JobFailure('input_unreadable', 'The HEIC image is truncated or corrupt. Upload the whole file.')
}
