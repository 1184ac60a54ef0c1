import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Media, MediaResult, Submission } from '../../client/node/index.ts'
import { ROOT } from '../system/root.ts'
import { drawPhoto } from './draw.ts'

const run = promisify(execFile)

/** Committed pictures, which web/studio/tool-icon.tsx shows. */
export const PICTURES = join(ROOT, 'web/studio/tool-pictures')
/** Twice the size at which the studio shows them (web/studio/tool-icon.tsx). */
const WIDTH = 192
const HEIGHT = 108
/** Results of this shape or wider are cropped to the picture, others fit inside it. */
const CROPPED_RATIO_MIN = 1.6
const CLIP_SECONDS = 3
const SUBTITLES = `1\n00:00:00,000 --> 00:00:0${CLIP_SECONDS},000\nEvening in the hills`

/** What is shown of each operation whose result looks different from its source. Others have an icon. */
export const SHOWN: Readonly<Record<string, Record<string, unknown>>> = {
  'video/resize': { width: 320, height: 320, mode: 'pad', color: '#336699' },
  'video/social': { preset: 'square' },
  'video/rotate': { mode: '90cw' },
  'video/flip': { axis: 'h' },
  'video/thumbnail': { smart: true },
  'video/cover': { title: 'Evening', subtitle: 'in the hills' },
  'video/circle': { diameter: 320, bg_color: '#ffffff' },
  'video/blur_bg': { aspect: '9:16', resolution: 270 },
  'video/watermark': { text: '© Studio', size: 40 },
  'video/subtitles': { style: 'boxed', font_size: 12, subtitles_text: SUBTITLES },
  'image/crop': { crop_aspect: '1:1', gravity: 'right' },
  'image/circle': { diameter: 320, offset_x: 0.6 },
  'image/transform': { rotate: 20, bg_color: '#ffffff' },
  'image/enhance': { grayscale: true, contrast: 1.3 },
  'image/social': { width: 600, height: 600, resize_mode: 'fit', bg_color: '#223344' },
  'image/watermark': { text: '© Studio', tiled: true, opacity: 0.6, size: 30 },
}

/**
 * Runs the operations on a photo and on a clip of it, and makes a picture of each result.
 * @param folder for temporary files
 * @returns the paths of the pictures
 */
export async function makeToolPictures(media: Media, folder: string): Promise<string[]> {
  const photo = join(folder, 'photo.jpg')
  const clip = join(folder, 'clip.mp4')
  await drawPhoto(photo)
  await makeClipOf(photo, clip)
  rmSync(PICTURES, { recursive: true, force: true })
  mkdirSync(PICTURES)
  const files: string[] = []
  for (const [name, params] of Object.entries(SHOWN)) {
    const [service, operation] = name.split('/')
    const file = service === 'video' ? clip : photo
    const result = await media.run({ service, operation, file, params } as unknown as Submission)
    const picture = join(PICTURES, `${service}-${operation}.webp`)
    await makePicture(await readFrame(result, join(folder, result.filename)), picture)
    files.push(picture)
  }
  return files
}

async function makeClipOf(photo: string, clip: string): Promise<void> {
  const source = ['-loop', '1', '-framerate', '25', '-t', String(CLIP_SECONDS), '-i', photo]
  await run('ffmpeg', ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', clip])
}

/** Reads an image, or the first frame of a video or an animation. */
async function readFrame(result: MediaResult, file: string): Promise<string> {
  await result.save(file)
  if (!result.content_type.startsWith('video/')) return file
  const frame = `${file}.png`
  await run('ffmpeg', ['-v', 'error', '-y', '-ss', '1', '-i', file, '-frames:v', '1', frame])
  return frame
}

async function makePicture(frame: string, picture: string): Promise<void> {
  const { width, height } = await sharp(frame).metadata()
  const fit = width / height >= CROPPED_RATIO_MIN ? 'cover' : 'contain'
  await sharp(frame)
    .resize(WIDTH, HEIGHT, { fit, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .webp({ quality: 80, effort: 6 })
    .toFile(picture)
}
