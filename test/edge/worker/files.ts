/** Builds the first bytes of a file, which are enough for type detection. */
function bytes(...parts: (string | number[])[]): Uint8Array<ArrayBuffer> {
  const all = parts.flatMap((part) =>
    typeof part === 'string' ? [...part].map((char) => char.charCodeAt(0)) : part,
  )
  return Uint8Array.from(all)
}

export const MP4 = {
  filename: 'clip.mp4',
  content_type: 'video/mp4',
  bytes: bytes([0, 0, 0, 24], 'ftypmp42', [0, 0, 0, 0], 'mp42isom', [0, 0, 0, 8], 'mdat'),
}

export const PNG = {
  filename: 'picture.png',
  content_type: 'image/png',
  bytes: bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]),
}

export const MP3 = {
  filename: 'song.mp3',
  content_type: 'audio/mpeg',
  bytes: bytes('ID3', [3, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64], Array(400).fill(0)),
}

export const TEXT = { filename: 'note.txt', content_type: 'text/plain', bytes: bytes('hello there') }

const words = (filename: string, text: string) => ({
  filename,
  content_type: 'video/mp4',
  bytes: bytes(text),
})

/** Files that are named like videos but contain no media. */
export const NO_MEDIA = [
  words('page.mp4', '<!doctype html><script>alert(1)</script>'),
  words('drawing.mp4', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  words('playlist.mp4', '#EXTM3U\nfile:///etc/passwd\n'),
  words('archive.mp4', `PK\x03\x04\x14${'\0'.repeat(25)}`),
]

/** A transport stream that starts in the middle of a packet, as recordings do, so it has no known signature. */
export const UNKNOWN_VIDEO = {
  filename: 'recording.ts',
  content_type: 'video/mp2t',
  bytes: bytes(Array.from({ length: 400 }, (_, index) => (index * 37) % 256)),
}
