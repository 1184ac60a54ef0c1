import { fileTypeFromBuffer } from 'file-type'
import { findAudioOnly } from './audio-only.ts'

export type SniffedKind = 'video' | 'image' | 'audio' | 'other'

/** The number of bytes that `sniffKind` needs. */
export const SNIFF_BYTES = 4100

/** Containers whose first stream does not show whether they contain audio or video, or video or a still image. */
const UNSURE = new Set([
  ...['webm', 'matroska', 'x-matroska', 'ogg', 'x-ms-asf', 'vnd.ms-asf'],
  ...['mxf', 'mj2'],
])

/** Brands of HEIF images that file-type reports as videos: images in other codecs, and the low-overhead format. */
const HEIF_BRANDS: ReadonlySet<string> = new Set([
  ...['avci', 'avcs', 'jpeg', 'jpgs', 'j2ki', 'j2is', 'vvic', 'vvis', 'evbi', 'evbs'],
  ...['heim', 'heis', 'hevm', 'hevs', 'avio', 'mif2', 'mif3', 'miaf', 'unif', 'MA1A', 'MA1B'],
])

/**
 * Detects the content type from the first bytes. Returns "text/plain" for text such as HTML or playlists; null
 * if the type is unknown, which includes rare media formats.
 */
export async function sniffType(head: Uint8Array): Promise<string | null> {
  if (isHeif(head)) return 'image/heif'
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  if ((mime === undefined || mime === 'application/xml') && isSvg(head)) return 'image/svg+xml'
  if (mime === undefined) return isText(head) && !isRawVideo(head) ? 'text/plain' : null
  const [, container = ''] = mime.split(/[/;]/)
  return UNSURE.has(container) ? findAudioOnly(head) : mime
}

const SVG = /^\s*(<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE\s+svg[^>]*>|\s)*<svg[\s>]/is

function isSvg(head: Uint8Array): boolean {
  return SVG.test(new TextDecoder().decode(head))
}

/** Uncompressed video (YUV4MPEG2) starts with a text header. */
function isRawVideo(head: Uint8Array): boolean {
  return String.fromCharCode(...head.subarray(0, 10)) === 'YUV4MPEG2 '
}

/** Checks whether the major brand of an ISO base media file is an image brand. */
function isHeif(head: Uint8Array): boolean {
  const text = (start: number) => String.fromCharCode(...head.subarray(start, start + 4))
  return text(4) === 'ftyp' && HEIF_BRANDS.has(text(8))
}

/**
 * Detects the kind of a file from its first bytes. "other" means that the kind is unknown; the fleet then probes
 * the file.
 */
export async function sniffKind(head: Uint8Array): Promise<SniffedKind> {
  return kindOf(await sniffType(head))
}

export function kindOf(mime: string | null): SniffedKind {
  const [kind] = (mime ?? '').split('/')
  return kind === 'video' || kind === 'image' || kind === 'audio' ? kind : 'other'
}

/** UTF-16 byte order marks. */
const TEXT_MARKS = [0xfeff, 0xfffe]

/**
 * Detects text as the MIME Sniffing standard does: text contains none of the control bytes that are common in
 * media.
 */
function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false
  const [first = 0, second = 0] = head
  return TEXT_MARKS.includes(first * 256 + second) || !head.some(isBinary)
}

function isBinary(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b)
}
