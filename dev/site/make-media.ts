import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { OUTCOMES_FILE } from '../demo/all.ts'
import type { Media } from '../demo/describe-media.ts'
import type { Outcome } from '../demo/sheet.ts'
import { describeSize } from '../demo/terminal.ts'
import { EXAMPLES_FILE, type Example, type Figure, MEDIA } from './operation-examples.ts'

const run = promisify(execFile)

/** The address of the page that the demo serves for link operations (dev/demo/site.ts). */
const DEMO_PAGE = /http:\/\/127\.0\.0\.1:\d+/g

const IMAGE_SIDE_MAX = 480
const VIDEO_SIDE_MAX = 320
const TEXT_LENGTH_MAX = 900
/** Longer arrays of a recorded body, such as the words of a transcript, are shortened. */
const ARRAY_LENGTH_MAX = 2

/**
 * Makes small previews of the first task of each operation from the results of `npm run demo -- --all`.
 * @returns the number of operations
 */
export async function makeMedia(folder: string): Promise<number> {
  const recorded = readFileSync(join(folder, OUTCOMES_FILE), 'utf8')
  const outcomes = JSON.parse(recorded.replace(DEMO_PAGE, 'https://example.org')) as Outcome[]
  rmSync(MEDIA, { recursive: true, force: true })
  mkdirSync(MEDIA, { recursive: true })
  const examples: Record<string, Example> = {}
  for (const outcome of outcomes) {
    const { service_slug, operation_key, params, sample } = outcome.task
    const name = `${service_slug}/${operation_key}`
    if (outcome.state !== 'done' || name in examples) continue
    const figure = (media: Media | null, file: string) => media && makeFigure(folder, media, file)
    examples[name] = {
      params: showSamples(params),
      before: await figure(outcome.before, `sample-${sample}-${outcome.task.shows ?? 'plain'}`),
      after: await figure(outcome.after, `${service_slug}-${operation_key}`),
      body: shorten(outcome.job?.result?.body ?? {}) as Example['body'],
    }
  }
  writeFileSync(EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`)
  return Object.keys(examples).length
}

async function makeFigure(folder: string, media: Media, name: string): Promise<Figure> {
  const { path, content_type, size_bytes, text, tags, waveform } = media
  const kind = content_type.split('/')[0]
  const caption = `${content_type}, ${describeSize(size_bytes)}`
  if (text !== null || tags !== null) return textFigure((text ?? tags) || 'no tags', caption)
  const source = join(folder, path)
  if (kind === 'image') return { ...(await makeImage(source, `${name}.webp`)), caption }
  if (kind === 'video') return { ...(await makeVideo(source, `${name}.mp4`, waveform !== null)), caption }
  if (waveform === null) return textFigure(basename(path), caption)
  return {
    ...(await makeImage(join(folder, waveform), `${name}.webp`)),
    caption: `waveform of ${caption}`,
  }
}

function textFigure(text: string, caption: string): Figure {
  const shown = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
  return { file: null, kind: 'text', width: 0, height: 0, text: shown.trim(), caption }
}

/** Makes a preview of an image. Keeps the animation of a GIF. */
async function makeImage(source: string, file: string): Promise<Omit<Figure, 'caption'>> {
  const {
    width,
    height,
    pages = 1,
  } = await sharp(source, { pages: -1 })
    .resize({ width: IMAGE_SIDE_MAX, height: IMAGE_SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 72, effort: 6 })
    .toFile(join(MEDIA, file))
  return { file, kind: 'image', width, height: Math.round(height / pages), text: null }
}

async function makeVideo(source: string, file: string, hasAudio: boolean): Promise<Omit<Figure, 'caption'>> {
  const target = join(MEDIA, file)
  const scale = `scale=w=${VIDEO_SIDE_MAX}:h=${VIDEO_SIDE_MAX}:force_original_aspect_ratio=decrease:force_divisible_by=2,fps=15`
  const audio = hasAudio ? ['-c:a', 'aac', '-ac', '1', '-b:a', '40k'] : ['-an']
  const video = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '32', '-pix_fmt', 'yuv420p']
  const args = ['-v', 'error', '-y', '-i', source, '-t', '9', '-vf', scale, ...video, ...audio]
  await run('ffmpeg', [...args, '-map_metadata', '-1', '-movflags', '+faststart', target])
  const shown = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, target])
  const [width = 0, height = 0] = stdout.trim().split(',').map(Number)
  return { file, kind: 'video', width, height, text: null }
}

/** Shows the URLs of samples by a name that readers understand. */
function showSamples(params: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(params).replaceAll('"sample:', '"https://example.org/'))
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > TEXT_LENGTH_MAX)
    return `${value.slice(0, TEXT_LENGTH_MAX)}…`
  if (Array.isArray(value)) return value.slice(0, ARRAY_LENGTH_MAX).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}
