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
import { type Box, locateEmoji } from './locate-emoji.ts'

const PIXEL_BYTES = 4
/** Memory for the frame and its encoded copy. */
const FRAME_COPIES = 3

/** Draws the emoji of each frame on a transparent background (EmojiStep). */
export async function drawEmoji(step: EmojiStep, run: Run): Promise<void> {
  const boxes = await locateEmoji(step, run)
  try {
    const bytes = step.size.width * step.size.height * PIXEL_BYTES * FRAME_COPIES
    await holdRoom(bytes, run, () => drawFrames(step, boxes, run))
  } catch (error) {
    run.signal.throwIfAborted()
    throw imageFailure(error, run.environment)
  }
}

async function drawFrames(step: EmojiStep, boxes: readonly (Box | undefined)[], run: Run): Promise<void> {
  const { emoji, frames, size, output } = step
  const glyphs = new Map<string, RawImage>()
  const glyphOf = async (index: number, box: Box) => {
    const name = `${emoji[index]} ${box.width}x${box.height}`
    const glyph = glyphs.get(name) ?? (await drawGlyph(emoji[index] ?? '', box, limitsOf(run)))
    glyphs.set(name, glyph)
    return glyph
  }
  const is_still = output.file.endsWith('.png')
  const listed: string[] = []
  for (const [position, frame] of frames.entries()) {
    run.signal.throwIfAborted()
    const pixels = Buffer.alloc(size.width * size.height * PIXEL_BYTES)
    for (const index of frame.emoji) {
      const box = boxes[index]
      if (box !== undefined) copyGlyph(await glyphOf(index, box), box, pixels, size)
    }
    const file = is_still ? output.file : `${output.file}-${position}.png`
    const raw = { width: size.width, height: size.height, channels: PIXEL_BYTES } as const
    await limitTime(sharp(pixels, { raw }), limitsOf(run))
      .png({ compressionLevel: 1 })
      .toFile(fileIn(run.folder, file))
    // Without a frame rate of hundredths, the times are rounded to the default of images: 1/25 s.
    listed.push(`file '${file}'\noption framerate 100\nduration ${(frame.hundredths / 100).toFixed(2)}`)
  }
  if (!is_still) await joinFrames(`ffconcat version 1.0\n${listed.join('\n')}\n`, output.file, run)
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
