import { z } from 'zod'
import { seekToKeyframe } from '../../../shared/ffmpeg/cuts/keyframe-seek.ts'
import { isIndexed } from '../../../shared/ffmpeg/output/containers.ts'
import type { LinkMedia } from '../../../shared/planning/facts.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { failureOf, processLimits } from '../../runtime/ffmpeg.ts'
import { guardedInput } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'

/** Parameters of the operations that copy part of a video. */
export const CutParams = z.object({ start: z.number(), duration: z.number().optional() })

/**
 * Measures how far before the requested start a copy of the video begins (Facts, lead_seconds), by copying one
 * packet in the same way. Returns 0 if nothing depends on it or if no packet is found.
 * @throws Error if the machine ended ffmpeg; JobFailure if the file was the cause.
 */
export async function measureLead(
  media: LinkMedia,
  params: Record<string, unknown>,
  run: Run,
): Promise<number> {
  const { subtitles = [], chapters = 0, video, hides_start } = media
  const is_needed = hides_start === true || subtitles.length + chapters > 0
  if (video === null || !isIndexed(media) || !is_needed) return 0
  const { start } = CutParams.parse(params)
  const { guard, url } = guardedInput(fileIn(run.folder, SOURCE), run)
  const reading = [
    ...guard,
    ...seekToKeyframe(start, media.container, video),
    '-i',
    url,
    '-map',
    `0:${video.index}`,
  ]
  const writing = ['-c', 'copy', '-frames:v', '1', '-f', 'framecrc', '-']
  const result = await runProcess(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-v', 'error', ...reading, ...writing],
    { limits: processLimits(run.environment), folder: run.folder, url: run.source_url, signal: run.signal },
  )
  if (result.ended_by !== null) throw failureOf(result)
  return result.code === 0 ? readLead(result.stdout) : 0
}

/** Parses ffmpeg's time base, `#tb 0: 1/12800`, and the packet's times, `0, -7168, -6144, …`. */
function readLead(lines: string): number {
  const [, above, below] = /^#tb 0: (\d+)\/(\d+)$/m.exec(lines) ?? []
  const [, shown] = /^0,\s*-?\d+,\s*(-?\d+),/m.exec(lines) ?? []
  const seconds = (Number(shown) * Number(above)) / Number(below)
  return seconds < 0 ? -seconds : 0
}
