import type { Canary } from './canary.ts'
import { type HostileFile, smallClip } from './hostile-clips.ts'
import { otherContainers } from './hostile-containers.ts'
import { images } from './hostile-images.ts'
import { movies } from './hostile-movies.ts'
import { polyglots } from './hostile-polyglots.ts'
import { hostileTexts } from './hostile-texts.ts'

/** Makes all hostile files, which reference the canary. */
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
    ...of('image', await images(canary)),
  ]
}
