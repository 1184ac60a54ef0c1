import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const LONG_AGO = new Date('2001-01-01')

/**
 * What no job may touch: files that would play well if they were opened, and a port that nobody but an
 * attacked program connects to. The files lie outside the work directory.
 */
export interface Canary {
  /** Paths of a clip, a picture and subtitles, each readable and valid. */
  clip: string
  image: string
  text: string
  /** The port on loopback, and its address. */
  port: number
  url: string
  /** What was touched since the last call; an empty list is what tests want. */
  touched(): Promise<string[]>
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-canary-'))
  const [clip, image, text] = ['clip.ts', 'picture.png', 'lines.srt'].map((name) => join(folder, name))
  if (clip === undefined || image === undefined || text === undefined) throw new Error('no canaries')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=10', '-c:v', 'mpeg2video']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-nostdin', ...source, clip])
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } }).toFile(image)
  await writeFile(text, '1\n00:00:00,000 --> 00:00:01,000\nsecret\n')

  const files = [clip, image, text]
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  // Where a file was not read since it changed, Linux notes the next reading of it (relatime).
  const rest = () => Promise.all(files.map((file) => utimes(file, LONG_AGO, new Date())))
  await rest()
  return {
    clip,
    image,
    text,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    async touched() {
      const read: string[] = []
      for (const file of files) if ((await stat(file)).atime > LONG_AGO) read.push(file)
      if (connections > 0) read.push(`${connections} connections`)
      connections = 0
      await rest()
      return read
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}
