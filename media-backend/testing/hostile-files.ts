import type { Canary } from './canary.ts'
import { makeClip } from './clips.ts'
import { otherContainers } from './hostile-containers.ts'
import { movies } from './hostile-movies.ts'
import { pictures } from './hostile-pictures.ts'
import { polyglots } from './hostile-polyglots.ts'
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

export type Clips = Record<'mp4' | 'mov' | 'mkv' | 'avi', Buffer>

const PLAYED = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=10']
const HEARD = ['-f', 'lavfi', '-i', 'sine=duration=1']

/** A second of picture and sound. */
export function smallClip(name: string, encoding: string[]): Promise<Buffer> {
  return makeClip(name, [...PLAYED, ...HEARD, ...encoding])
}
