import { open } from 'node:fs/promises'
import type { ProfileStep } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { makeColorProfile, makeGrayProfile } from './color-profile.ts'
import { addProfile } from './png-profile.ts'

const COLOR_TYPE_OFFSET = 25
/** Bit that is set in every PNG color type except grayscale, with or without alpha. */
const COLOR_FLAG = 2

/**
 * Copies a PNG and adds an ICC profile for its color code points. sharp then uses that profile to convert the
 * colors.
 */
export async function attachProfile({ input, color, output }: ProfileStep, run: Run): Promise<void> {
  const source = fileIn(run.folder, input)
  const profile = (await isGray(source)) ? makeGrayProfile(color) : makeColorProfile(color)
  await addProfile(source, profile, fileIn(run.folder, output.file), run.signal)
}

async function isGray(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, COLOR_TYPE_OFFSET)
    return (buffer.readUInt8(0) & COLOR_FLAG) === 0
  } finally {
    await file.close()
  }
}
