import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { RateSearch } from '../../../shared/planning/steps.ts'
import { SOURCE } from '../../../shared/planning/steps.ts'
import { frameCount, processLimits } from '../../runtime/ffmpeg.ts'
import { fileUrl, guardedInput, PIXEL_GUARD, PROGRESS } from '../../runtime/ffmpeg-command.ts'
import { fileIn } from '../../runtime/folder.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { measureLoss } from './measure-loss.ts'
import { withRate } from './with-rate.ts'

const SAMPLES = 'rate-samples.mkv'
const SHOWN = 'rate-source.gray'
const CODED = 'rate-encoded.gray'
/** Every fifth frame is compared, so all kinds of frames are among them. */
const COMPARED = "select='eq(mod(n,5),4)'"

/**
 * Encodes the samples of a search with a rate factor.
 * @returns the mean loss of detail of the compared frames, or null if the samples show none or cannot be read.
 */
export async function probeRate(
  search: RateSearch,
  rate: number,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<number | null> {
  const { width, height } = search.compared
  const compared = `${COMPARED},scale=${width}:${height}:flags=area,format=gray`
  const gray = ['-fps_mode', 'passthrough', '-f', 'rawvideo']
  const encoded = await runFfmpeg(
    [
      ...search.inputs.flatMap(({ file, options }) => readFile(file, options, run)),
      '-filter_complex',
      `${search.filter_graph};[samples]split[encoded][shown];[shown]${compared}[compared]`,
      ...['-map', '[encoded]', ...withRate(search.encoder, rate), '-fps_mode', 'passthrough'],
      fileUrl(run.folder, SAMPLES),
      ...['-map', '[compared]', ...gray, fileUrl(run.folder, SHOWN)],
    ],
    run,
    (frames) => reportProgress(Math.min(1, frames / search.frames)),
  )
  const decoded =
    encoded &&
    (await runFfmpeg(
      [...readFile(SAMPLES, [], run), '-vf', compared, ...gray, fileUrl(run.folder, CODED)],
      run,
      () => {},
    ))
  const loss = decoded ? await compareFiles(search.compared, run) : null
  for (const file of [SAMPLES, SHOWN, CODED]) await rm(fileIn(run.folder, file), { force: true })
  return loss
}

function readFile(file: string, options: readonly string[], run: Run): string[] {
  const { guard, url } = guardedInput(fileIn(run.folder, file), run)
  return [...guard, ...PIXEL_GUARD, '-threads', file === SOURCE ? '1' : '0', ...options, '-i', url]
}

/** @returns whether ffmpeg succeeded. A video that it cannot read here may still be encoded as a whole. */
async function runFfmpeg(
  args: readonly string[],
  run: Run,
  reportFrames: (frames: number) => void,
): Promise<boolean> {
  const { code } = await runProcess(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-y', '-loglevel', 'error', ...PROGRESS, ...args],
    {
      ...{
        limits: processLimits(run.environment),
        folder: run.folder,
        url: run.source_url,
        signal: run.signal,
      },
      onLine(line) {
        const frames = frameCount(line)
        if (frames !== null) reportFrames(frames)
      },
    },
  )
  return code === 0
}

/** Compares the frames of the two files. Returns null if they differ in number or show no detail. */
async function compareFiles(size: RateSearch['compared'], run: Run): Promise<number | null> {
  await using shown = await open(fileIn(run.folder, SHOWN))
  await using coded = await open(fileIn(run.folder, CODED))
  const frame_bytes = size.width * size.height
  const bytes = await Promise.all([shown, coded].map(async (file) => (await file.stat()).size))
  if (bytes[0] !== bytes[1]) return null
  const losses: number[] = []
  const [one, other] = [Buffer.alloc(frame_bytes), Buffer.alloc(frame_bytes)]
  for (let at = 0; at + frame_bytes <= (bytes[0] ?? 0); at += frame_bytes) {
    run.signal.throwIfAborted()
    await Promise.all([shown.read(one, 0, frame_bytes, at), coded.read(other, 0, frame_bytes, at)])
    const loss = measureLoss(one, other, size)
    if (loss !== null) losses.push(loss)
    await setImmediate()
  }
  return losses.length === 0 ? null : losses.reduce((sum, loss) => sum + loss, 0) / losses.length
}
