import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { EmojiStep } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { fileIn } from '../../runtime/folder.ts'
import { holdRoom } from '../../runtime/image-room.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { imageFailure, limitsOf, limitTime, type RawImage } from '../../runtime/sharp.ts'
import { drawGlyph } from './draw-glyph.ts'
import { keepRecent } from './keep-recent.ts'
import { type Box, locateEmoji } from './locate-emoji.ts'

const PIXEL_BYTES = 4
/** Memory for the frame and its encoded copy. */
const FRAME_COPIES = 3
/** Drawn emoji that stay in memory. Texts that are shown at once rarely have more. */
const GLYPHS_KEPT = 64

type DrawGlyph = (emoji: string, box: Box) => Promise<RawImage>

/** Draws the emoji of each frame on a transparent background (EmojiStep). */
export async function drawEmoji(step: EmojiStep, run: Run): Promise<void> {
  const boxes = await locateEmoji(step, run)
  try {
    await holdRoom(estimateEmojiBytes(step, boxes), run, () => drawFrames(step, boxes, run))
  } catch (error) {
    run.signal.throwIfAborted()
    throw imageFailure(error, run.environment)
  }
}

/** Estimates the memory for a frame and for the emoji that are kept. */
export function estimateEmojiBytes(
  { size, emoji }: Pick<EmojiStep, 'size' | 'emoji'>,
  boxes: readonly (Box | undefined)[],
): number {
  const glyph = boxes.reduce((most, box) => Math.max(most, box === undefined ? 0 : box.width * box.height), 0)
  const glyphs = Math.min(GLYPHS_KEPT, emoji.length)
  return PIXEL_BYTES * (size.width * size.height * FRAME_COPIES + glyph * glyphs)
}

async function drawFrames(step: EmojiStep, boxes: readonly (Box | undefined)[], run: Run): Promise<void> {
  const { emoji, frames, output } = step
  const is_still = output.file.endsWith('.png')
  const glyphOf = keepRecent<RawImage>(GLYPHS_KEPT)
  const draw: DrawGlyph = (glyph, box) =>
    glyphOf(`${glyph} ${box.width}x${box.height}`, () => drawGlyph(glyph, box, limitsOf(run)))
  const files = new Map<string, string>()
  const listed: string[] = []
  for (const frame of frames) {
    const drawn = frame.emoji.flatMap((index) => {
      const box = boxes[index]
      return box === undefined ? [] : [{ emoji: emoji[index] ?? '', box }]
    })
    // The empty frames between texts, and repeated texts, are the same file.
    const content = JSON.stringify(drawn)
    const file = files.get(content) ?? (is_still ? output.file : `${output.file}-${files.size}.png`)
    if (!files.has(content)) await drawFrame(drawn, file, step.size, draw, run)
    files.set(content, file)
    // Without a frame rate of hundredths, the times are rounded to the default of images: 1/25 s.
    listed.push(`file '${file}'\noption framerate 100\nduration ${(frame.hundredths / 100).toFixed(2)}`)
  }
  if (!is_still) await joinFrames(`ffconcat version 1.0\n${listed.join('\n')}\n`, output.file, run)
}

async function drawFrame(
  drawn: readonly { emoji: string; box: Box }[],
  file: string,
  size: EmojiStep['size'],
  draw: DrawGlyph,
  run: Run,
): Promise<void> {
  run.signal.throwIfAborted()
  const pixels = Buffer.alloc(size.width * size.height * PIXEL_BYTES)
  for (const { emoji, box } of drawn) {
    copyGlyph(await draw(emoji, box), box, pixels, size)
  }
  const raw = { width: size.width, height: size.height, channels: PIXEL_BYTES } as const
  const png = sharp(pixels, { raw }).png({ compressionLevel: 1 })
  await limitTime(png, limitsOf(run)).toFile(fileIn(run.folder, file))
}

/** Copies the pixels of an emoji into the frame. A part outside of the frame is dropped. */
function copyGlyph(
  glyph: RawImage,
  { left, top, width, height }: Box,
  pixels: Buffer,
  size: { width: number; height: number },
): void {
  const [indent, drop] = [
    left + Math.floor((width - glyph.width) / 2),
    top + Math.floor((height - glyph.height) / 2),
  ]
  const columns = Math.min(glyph.width, size.width - indent)
  for (let y = 0; y < glyph.height && drop + y < size.height; y += 1) {
    const from = y * glyph.width * PIXEL_BYTES
    const to = ((drop + y) * size.width + indent) * PIXEL_BYTES
    glyph.data.copy(pixels, to, from, from + columns * PIXEL_BYTES)
  }
}

/** Writes the frames as a video with the times of the list. */
async function joinFrames(list: string, file: string, run: Run): Promise<void> {
  await writeFile(fileIn(run.folder, `${file}.txt`), list)
  const result = await runProcess(
    'ffmpeg',
    [
      ...['-hide_banner', '-nostdin', '-y', '-v', 'error', '-protocol_whitelist', 'file'],
      // The list names only files of this step; its option for the frame rate counts as unsafe.
      ...[
        '-safe',
        '0',
        '-f',
        'concat',
        '-i',
        `file:${file}.txt`,
        '-c',
        'copy',
        '-f',
        'matroska',
        `file:${file}`,
      ],
    ],
    { limits: processLimits(run.environment), folder: run.folder, signal: run.signal },
  )
  if (result.code !== 0) throw failureOf(result)
}
