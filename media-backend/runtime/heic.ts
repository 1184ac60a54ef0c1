import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { HeicStep } from '../../shared/planning/steps.ts'
import { decode } from './decoder/decode.ts'
import { failWith } from './failure.ts'
import { fileIn } from './folder.ts'
import { UNDECODABLE } from './heic-exit.ts'
import { runImageProgram } from './image-program.ts'
import { holdRoom } from './image-room.ts'
import type { Run } from './run.ts'

const PROGRAM = fileURLToPath(new URL('./heic-entry.ts', import.meta.url))
/** Bytes of memory per pixel, for the decoded planes and the colors that are made of them. */
const PIXEL_BYTES = 12

/**
 * Decodes the primary image of a HEIC file to an upright TIFF, in a child process: a file that crashes the decoder
 * does not affect this one.
 * @param profile replaces the ICC profile of the file.
 * @throws JobFailure if the file cannot be decoded.
 */
export async function decodeHeic(
  { input, output }: Pick<HeicStep, 'input' | 'output'>,
  profile: Buffer | null,
  run: Run,
): Promise<void> {
  const profile_file = `${output.file}.icc`
  const { width, height, has_profile } = await decode('heic_header', { file: input, profile_file }, run)
  if (profile !== null) await writeFile(fileIn(run.folder, profile_file), profile)
  const files = [input, output.file, ...(profile !== null || has_profile ? [profile_file] : [])]
  const decoded_bytes = width * height * PIXEL_BYTES
  const { code, stderr } = await holdRoom(decoded_bytes, run, () =>
    runImageProgram(process.execPath, [PROGRAM, ...files], run, {
      // The decoder uses half of that, and Node and the threads 700 MB.
      memory_bytes_max: decoded_bytes + 2 * 1024 ** 3,
      ignores_reserved: true,
      file_bytes_max: decoded_bytes + 16 * 1024 ** 2,
      cpu_seconds_max: run.environment.IMAGE_SECONDS_MAX,
    }),
  )
  if (code === 0) return
  // A crash has no exit code.
  if (code === null || code === UNDECODABLE) throw failWith('heic_corrupt')
  throw new Error(`the HEIC decoder failed: ${stderr}`)
}
