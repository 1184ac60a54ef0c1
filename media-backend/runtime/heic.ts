import { readdir, rename, stat } from 'node:fs/promises'
import type { HeicStep } from '../../shared/planning/steps.ts'
import { failWith } from './failure.ts'
import { fileIn } from './folder.ts'
import { hideProfiles } from './heic-profile.ts'
import { runImageProgram } from './image-program.ts'
import { holdRoom } from './image-room.ts'
import { addProfile } from './png-profile.ts'
import type { Run } from './run.ts'
import { openImage } from './sharp.ts'

/** Bytes of memory that heif-convert uses per pixel, for its decoded planes and for the PNG. */
const PIXEL_BYTES = 12

/**
 * Decodes the primary image of a HEIC file with libheif's heif-convert. If that program crashes, this process is
 * not affected.
 * @throws JobFailure if the file cannot be decoded.
 */
export async function decodeHeic({ input, output }: HeicStep, run: Run): Promise<void> {
  if (await decode({ input, output }, run)) return
  const [copy, decoded] = [`plain-${input}`, `plain-${output.file}`]
  const profile = await hideProfiles(fileIn(run.folder, input), fileIn(run.folder, copy))
  if (profile === null || !(await decode({ input: copy, output: { file: decoded } }, run)))
    throw failWith('heic_profile_corrupt')
  await addProfile(fileIn(run.folder, decoded), profile, fileIn(run.folder, output.file), run.signal)
}

/** @returns false if decoding succeeded but the PNG encoder refused the color profile. */
async function decode({ input, output }: Pick<HeicStep, 'input' | 'output'>, run: Run): Promise<boolean> {
  const header = await openImage(fileIn(run.folder, input), run.environment).metadata()
  const { width, height, pagePrimary = 0 } = header
  const decoded_bytes = width * height * PIXEL_BYTES
  const { code } = await holdRoom(decoded_bytes, run, () =>
    runImageProgram('heif-convert', [input, output.file], run, {
      // The program's threads reserve addresses that they never use.
      memory_bytes_max: 2 * decoded_bytes + 3 * 1024 ** 3,
      file_bytes_max: decoded_bytes + 16 * 1024 ** 2,
      cpu_seconds_max: run.environment.IMAGE_SECONDS_MAX,
    }),
  )
  const files = await readdir(run.folder)
  const numbered = output.file.replace(/\.png$/, `-${pagePrimary + 1}.png`)
  const written = code === 0 ? [output.file, numbered].find((file) => files.includes(file)) : undefined
  if (written === undefined) throw failWith('heic_corrupt')
  // heif-convert does not report a failure if the encoder refused the profile.
  if ((await stat(fileIn(run.folder, written))).size === 0) return false
  if (written !== output.file) await rename(fileIn(run.folder, written), fileIn(run.folder, output.file))
  return true
}
