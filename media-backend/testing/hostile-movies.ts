import { box, number32, replaceBoxes } from './boxes.ts'
import type { Canary } from './canary.ts'
import type { Clips } from './hostile-clips.ts'

/** Builds a QuickTime alias: the volume, the name, then the absolute path as entry 2. */
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
    path.padEnd(path.length + (path.length % 2), '\0'),
    '\xff\xff\0\0',
  ]
  return box('alis', number32(0), Buffer.alloc(10), Buffer.alloc(28), Buffer.alloc(12), name, ...rest)
}

/** Makes QuickTime files whose samples, or whole contents, are stored in other files. */
export function movies({ clip, url }: Canary, { mp4, mov }: Clips): Record<string, Buffer> {
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
    'a MOV whose samples are in a file': external,
    'a MOV whose samples are at a URL': refer(mov, box('url ', number32(0), remote)),
    'an MP4 whose samples are in a file': refer(mp4, box('url ', number32(0), `file://${clip}\0`)),
    'an MP4 whose samples have a name': refer(mp4, box('urn ', number32(0), `a\0${remote}`)),
    'a MOV of two references': refer(mov, box('url ', number32(1)), alias(clip)),
    'a MOV whose samples are in a file, large enough to be read by parts': Buffer.concat([
      external,
      box('free', Buffer.alloc(9 * 1024 * 1024)),
    ]),
    'a reference movie of a URL': redirect('url ', remote),
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
