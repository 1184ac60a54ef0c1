import { writeFile } from 'node:fs/promises'
import type { EmojiStep } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'

/** A rectangle in pixels. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Rectangles are white on black. Half-covered pixels at their edges count as a part. */
const LUMINANCE_MIN = 100

/**
 * Finds the place of each emoji: renders one frame for each and measures its rectangle.
 * @returns undefined for a place outside of the frame.
 */
export async function locateEmoji(step: EmojiStep, run: Run): Promise<(Box | undefined)[]> {
  const { script, emoji, size, output } = step
  const file = `${output.file}.ass`
  await writeFile(fileIn(run.folder, file), script)
  const source = `color=black:size=${size.width}x${size.height}:rate=1:duration=${emoji.length}`
  const filters = `ass=${file},bbox=min_val=${LUMINANCE_MIN},metadata=mode=print:file=-`
  const boxes = new Map<number, Partial<Record<string, number>>>()
  let frame = -1
  const result = await runProcess(
    'ffmpeg',
    [
      ...['-hide_banner', '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', source],
      ...['-vf', filters, '-f', 'null', '-'],
    ],
    {
      ...{ limits: processLimits(run.environment), folder: run.folder, signal: run.signal },
      onLine(line) {
        frame = Number(/^frame:(\d+) /.exec(line)?.[1] ?? frame)
        const [, name = '', value] = /^lavfi\.bbox\.(\w+)=(\d+)$/.exec(line) ?? []
        if (value !== undefined) boxes.set(frame, { ...boxes.get(frame), [name]: Number(value) })
      },
    },
  )
  if (result.code !== 0) throw failureOf(result)
  return emoji.map((_, index) => boxOf(boxes.get(index)))
}

function boxOf({ x1, y1, w, h }: Partial<Record<string, number>> = {}): Box | undefined {
  if (x1 === undefined || y1 === undefined || w === undefined || h === undefined) return undefined
  return { left: x1, top: y1, width: w, height: h }
}
