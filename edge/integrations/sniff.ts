import { fileTypeFromBuffer } from 'file-type'

export type SniffedKind = 'video' | 'image' | 'audio' | 'other'

/** How many bytes of a file `sniffKind` wants to see. */
export const SNIFF_BYTES = 4100

/** What a file's first bytes say it is. "other" is no verdict: the fleet looks closer. */
export async function sniffKind(head: Uint8Array): Promise<SniffedKind> {
  const [kind] = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.split('/') ?? []
  return kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other'
}
