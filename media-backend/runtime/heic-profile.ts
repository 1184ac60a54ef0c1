import { copyFile, open } from 'node:fs/promises'
import { readHead } from './image-head.ts'

/** The type of a color box and the type of its content, an ICC profile. ISO 14496-12, 12.1.5. */
const PROFILE_BOX = /colr(?:prof|rICC)/g
/** The size, the box type and the content type. */
const HEADER_BYTES = 12
/** A box type that decoders skip. */
const SKIPPED = 'free'
const PROFILE_BYTES_MIN = 128

/**
 * Copies a HEIF file without its color profiles. Some phones append bytes to a profile; encoders then refuse to
 * write it, although viewers display the image with it.
 * @returns the first profile, truncated to its declared length, or null if there is none.
 */
export async function hideProfiles(path: string, copy: string): Promise<Buffer | null> {
  const head = await readHead(path)
  const boxes = [...head.toString('latin1').matchAll(PROFILE_BOX)].map(({ index }) => index)
  const profile = boxes.map((at) => profileAt(head, at)).find((found) => found !== null)
  if (profile === undefined) return null
  await copyFile(path, copy)
  const file = await open(copy, 'r+')
  try {
    for (const at of boxes) await file.write(Buffer.from(SKIPPED), 0, SKIPPED.length, at)
  } finally {
    await file.close()
  }
  return profile
}

/** @param at position of the box type. */
function profileAt(head: Buffer, at: number): Buffer | null {
  const start = at - 4 + HEADER_BYTES
  if (at < 4 || start + 4 > head.length) return null
  const end = at - 4 + head.readUInt32BE(at - 4)
  const declared = head.readUInt32BE(start)
  if (declared < PROFILE_BYTES_MIN || start + declared > Math.min(end, head.length)) return null
  return head.subarray(start, start + declared)
}
