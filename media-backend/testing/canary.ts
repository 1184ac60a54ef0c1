import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const LONG_AGO = new Date('2001-01-01')

/**
 * Files and a port that no job may open. The files are valid and outside the work directory; only a compromised
 * program would connect to the port.
 */
export interface Canary {
  /** Paths of a valid clip, image and subtitle file. */
  clip: string
  image: string
  text: string
  /** The loopback port and its URL. */
  port: number
  url: string
  /** Returns what was opened since the last call: nothing if the fleet is secure. */
  touched(): Promise<string[]>
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-canary-'))
  const [clip, image, text] = ['clip.ts', 'image.png', 'subtitles.srt'].map((name) => join(folder, name))
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
  // With relatime, Linux updates the access time of a file that has changed since it was last read.
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
