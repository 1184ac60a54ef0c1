import { fileTypeFromBuffer } from 'file-type'

export type SniffedKind = 'video' | 'image' | 'audio' | 'other'

/** How many bytes of a file `sniffKind` wants to see. */
export const SNIFF_BYTES = 4100

const MAYBE_SOUND_ONLY = new Set(['video/webm', 'video/matroska', 'video/x-matroska', 'video/ogg'])

/** The content type that a file's first bytes tell; null: they tell none for sure. */
export async function sniffType(head: Uint8Array): Promise<string | null> {
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  // The first bytes don't tell a recorded voice from a picture in these.
  return mime === undefined || MAYBE_SOUND_ONLY.has(mime) ? null : mime
}

/** What a file's first bytes say it is. "other" is no verdict: the fleet looks closer. */
export async function sniffKind(head: Uint8Array): Promise<SniffedKind> {
  return kindOf(await sniffType(head))
}

export function kindOf(mime: string | null): SniffedKind {
  const [kind] = (mime ?? '').split('/')
  return kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other'
}
