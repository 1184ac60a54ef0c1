import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureImages } from './quality/measure-images.ts'
import { measureVideos } from './quality/measure-videos.ts'
import { VIDEOS_HEADING, writeVideoPart } from './quality/video-page.ts'
import { ROOT } from './system/root.ts'

/**
 * Measures what compression costs in bytes, similarity and time, and writes that part of docs/quality.md. NAME says what
 * the files are.
 *
 * - `npm run quality -- images FOLDER [NAME]`: image encoder settings and the search of `web_optimize`
 * - `npm run quality -- videos FOLDER [NAME]`: the search of `compress` (VMAF: dev/quality/measure-video.ts)
 */
const PAGE = join(ROOT, 'docs/quality.md')
const [kind, folder, corpus = folder] = process.argv.slice(2)
if (folder === undefined || corpus === undefined || (kind !== 'images' && kind !== 'videos'))
  throw new Error('Name `images` or `videos`, and a folder.')
const page = readFileSync(PAGE, 'utf8')
const videos_at = page.indexOf(`\n${VIDEOS_HEADING}\n`)
const [images, videos] = videos_at < 0 ? [page, ''] : [page.slice(0, videos_at), page.slice(videos_at)]
if (kind === 'images') writeFileSync(PAGE, (await measureImages(folder, corpus)) + videos)
else {
  const levels = {
    light: await measureVideos(folder, 'light'),
    medium: await measureVideos(folder, 'medium'),
    strong: await measureVideos(folder, 'strong'),
  }
  const part = writeVideoPart({ corpus, levels })
  writeFileSync(PAGE, `${images}\n${part.page}`)
  writeFileSync(join(ROOT, 'docs/images/quality-videos.svg'), part.plot)
}
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', PAGE])
console.log('Wrote docs/quality.md')
