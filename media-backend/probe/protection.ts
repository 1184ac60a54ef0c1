import { failWith, type JobFailure } from '../runtime/failure.ts'
import type { Run } from '../runtime/run.ts'
import { type ListBoxes, openBoxes, type Range } from './bytes/boxes.ts'

/** Sample entries of encrypted tracks: Common Encryption (ISO 23001-7) in any scheme, and Apple's older FairPlay. */
const ENCRYPTED_FORMS = ['encv', 'enca', 'enct', 'encs', 'encm', 'drms', 'drmi', 'drmt']

/** Size of the version, flags and count, which precede the sample entries in `stsd`. */
const STSD_HEADER_BYTES = 8

/** ffmpeg's tag for the key ID of an encrypted Matroska track. */
export const KEY_TAG = 'enc_key_id'

export function protectedFailure(): JobFailure {
  return failWith('media_protected')
}

/** Checks whether any track of an MP4 or QuickTime file is encrypted. No output could preserve the keys. */
export async function isProtectedMovie(path: string, run: Run): Promise<boolean> {
  const list = openBoxes(path, run)
  for await (const box of list({ start: 0, end: Number.MAX_SAFE_INTEGER })) {
    // Only samples follow a file's index.
    if (box.type === 'moov') return hasEncryptedForm(list, box, ['trak', 'mdia', 'minf', 'stbl', 'stsd'])
  }
  return false
}

/** Looks for encrypted sample entries along this path of boxes, in all tracks. */
async function hasEncryptedForm(list: ListBoxes, range: Range, path: readonly string[]): Promise<boolean> {
  const [wanted, ...deeper] = path
  for await (const box of list(range)) {
    if (wanted === undefined && ENCRYPTED_FORMS.includes(box.type)) return true
    if (box.type !== wanted) continue
    const start = wanted === 'stsd' ? box.start + STSD_HEADER_BYTES : box.start
    if (await hasEncryptedForm(list, { start, end: box.end }, deeper)) return true
  }
  return false
}
