/**
 * Detects Ogg and ASF files that contain only audio and whose first bytes list all streams. The first stream alone
 * is not enough, because video may follow.
 */
export function findAudioOnly(head: Uint8Array): 'audio/ogg' | 'audio/x-ms-wma' | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (isAudioOgg(bytes)) return 'audio/ogg'
  return isAudioAsf(bytes) ? 'audio/x-ms-wma' : null
}

const AUDIO_CODECS = ['OpusHead', '\x01vorbis', '\x7fFLAC', 'Speex   ']
/** A track that only describes the other tracks. */
const SKELETON = 'fishead\0'
const BEGINS_STREAM = 2

/** Each stream starts with a separate page, and these pages precede all others (RFC 3533). */
function isAudioOgg(head: Buffer): boolean {
  let hasAudio = false
  let start = 0
  while (head.toString('latin1', start, start + 4) === 'OggS' && start + 27 <= head.length) {
    if (((head[start + 5] ?? 0) & BEGINS_STREAM) === 0) return hasAudio
    const lacing = head.subarray(start + 27, start + 27 + (head[start + 26] ?? 0))
    const content = start + 27 + lacing.length
    const magic = head.toString('latin1', content, content + 8)
    const isAudio = AUDIO_CODECS.some((codec) => magic.startsWith(codec))
    if (!isAudio && magic !== SKELETON) return false
    hasAudio ||= isAudio
    start = content + lacing.reduce((sum, length) => sum + length, 0)
  }
  return false
}

const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const AUDIO_STREAM = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex')
const VIDEO_STREAM = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex')

/**
 * Checks the header object, which lists the kind of every stream. Returns false if it extends beyond the first
 * bytes.
 */
function isAudioAsf(head: Buffer): boolean {
  if (head.length < 24 || !head.subarray(0, 16).equals(ASF_HEADER)) return false
  const size = head.readBigUInt64LE(16)
  if (size > head.length) return false
  const header = head.subarray(0, Number(size))
  return header.includes(AUDIO_STREAM) && !header.includes(VIDEO_STREAM)
}
