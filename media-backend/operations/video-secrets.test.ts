/** @module-tag extended */

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { box } from '../testing/boxes.ts'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut, frameLevels, inspect, type JobSpec } from '../testing/operate.ts'

const execute = promisify(execFile)

const SECRET = 'SECRET-4711'
/** Identifies the user data in which camcorders store the date, camera and exposure. */
const CAMCORDER = '17ee8c60-f84d-11d9-8cd6-0800200c9a66'
const VIDEO_INPUT = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=25']
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=1']
const TAGS = ['title', 'artist', 'comment', 'location', 'make', 'model', 'encoder'].flatMap((name) => [
  '-metadata',
  `${name}=${SECRET}`,
])
const TRACKS = ['-metadata:s:v', `title=${SECRET}`, '-metadata:s:a', `handler_name=${SECRET}`]

function clip(name: string, ...options: string[]): Promise<Buffer> {
  return makeClip(name, [...VIDEO_INPUT, ...TONE, '-pix_fmt', 'yuv420p', ...TAGS, ...TRACKS, ...options])
}

/** Adds chapters with titles, and an attachment if requested. */
async function withChapters(name: string, source: Buffer, ...options: string[]): Promise<Buffer> {
  const chapters = `;FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=${SECRET}\n`
  return withFile(source, async (path) => {
    const [declared, out, attached] = [`${path}.txt`, join(path, '..', name), join(path, '..', 'note.txt')]
    await writeFile(declared, chapters)
    await writeFile(attached, SECRET)
    const attach = options.includes('-attach')
      ? ['-attach', attached, '-metadata:s:t', `mimetype=text/plain`]
      : []
    const inputs = ['-i', path, '-f', 'ffmetadata', '-i', declared, '-map', '0', '-map_chapters', '1']
    await execute('ffmpeg', ['-v', 'error', ...inputs, '-c', 'copy', ...attach, out])
    return readFile(out)
  })
}

const IN_STREAM = ['-bsf:v', `h264_metadata=sei_user_data='${CAMCORDER}+${SECRET}'`]
const INPUTS: [string, () => Promise<Buffer>][] = [
  [
    'MP4',
    async () => {
      const mp4 = await withChapters('c.mp4', await clip('m.mp4', '-c:v', 'libx264', ...IN_STREAM))
      return Buffer.concat([mp4, box('uuid', Buffer.alloc(16, 7), SECRET), box('free', SECRET)])
    },
  ],
  ['QuickTime', () => clip('m.mov', '-c:v', 'libx264', ...IN_STREAM, '-timecode', '01:02:03:04')],
  [
    'Matroska',
    async () => withChapters('c.mkv', await clip('m.mkv', '-c:v', 'libx264', ...IN_STREAM), '-attach'),
  ],
  ['WebM', () => clip('m.webm', '-c:v', 'libvpx')],
  ['MPEG-TS', () => clip('m.ts', '-c:v', 'libx264', ...IN_STREAM, '-metadata', `service_name=${SECRET}`)],
  ['AVI', () => clip('m.avi', '-c:v', 'mpeg4')],
  ['Flash', () => clip('m.flv', '-c:v', 'libx264', ...IN_STREAM, '-ar', '44100')],
]

test.each(INPUTS)(
  'strip_metadata removes all planted data from a %s and keeps every frame',
  async (_name, make) => {
    const input = await make()
    expect(input.includes(SECRET)).toBe(true)
    const { path, source, plan } = await carryOut(input, ['strip_metadata'])
    expect((await readFile(path)).includes(SECRET)).toBe(false)
    expect(plan.encode_mode).toBe('remux')
    const levels = async (file: string) => (await frameLevels(file)).map(({ level }) => level)
    expect(await levels(path)).toEqual(await levels(source))
  },
)

const COPIES: [JobSpec, string][] = [
  [['extract_audio', { format: 'mp3' }], 'MP3'],
  [['convert', { format: 'mkv' }], 'Matroska'],
]

test.each(COPIES)('%j contains no tags of its source container', async (spec) => {
  const { path } = await carryOut(await clip('m.mp4', '-c:v', 'libx264'), spec)
  expect(Object.keys((await inspect(path)).format.tags ?? {}).join()).not.toMatch(/brand|minor_version/i)
})
