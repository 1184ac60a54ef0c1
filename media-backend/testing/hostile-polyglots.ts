import { box, number32 } from './boxes.ts'
import type { Canary } from './canary.ts'
import type { Clips } from './hostile-clips.ts'

/** Makes files in two formats: one at the start and another at a later position. */
export function polyglots({ clip, url }: Canary, { mp4, mkv }: Clips): Record<string, Buffer> {
  const lines = `#EXTINF:1,\n${clip}\n#EXTINF:1,\n${url}/clip.ts\n#EXT-X-ENDLIST\n`
  const playlist = Buffer.from(`#EXTM3U\n${lines}`)
  const zip = Buffer.from(`PK\x03\x04\x14\0\0\0\0\0${'\0'.repeat(16)}\x08\0\0\0../a.m3u8`, 'latin1')
  return {
    'a playlist, then an MP4': Buffer.concat([playlist, mp4]),
    'an MP4, then a playlist': Buffer.concat([mp4, Buffer.from('\n'), playlist]),
    'a playlist that starts like an MP4': Buffer.concat([
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
    'an MP4 with a URL as its cover': Buffer.concat([
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
