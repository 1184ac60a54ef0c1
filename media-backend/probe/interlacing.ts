import { processLimits } from '../runtime/ffmpeg.ts'
import { guardedInput } from '../runtime/ffmpeg-command.ts'
import { runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import type { Stream } from './ffprobe.ts'

/** Codecs used on tapes, on discs and in cameras. Other codecs have no interlaced frames. */
const CODECS = [
  ...['dvvideo', 'mpeg4', 'mpeg2video', 'h264', 'vc1', 'wmv3', 'mjpeg', 'prores', 'dnxhd'],
  ...['ffv1', 'huffyuv', 'ffvhuff', 'utvideo', 'rawvideo', 'v210'],
]
/** Enough packets to decode one frame, even if frames are stored out of order. */
const PACKETS = 8
const CPU_SECONDS_MAX = 10

/** Checks whether the first frames of a stream are interlaced when its header does not say (AVI, raw DV). */
export async function hidesFields(stream: Stream, path: string, run: Run): Promise<boolean> {
  const is_declared = stream.field_order != null && stream.field_order !== 'unknown'
  return (
    !is_declared && CODECS.includes(stream.codec_name) && (await hasInterlacedFrame(stream.index, path, run))
  )
}

async function hasInterlacedFrame(index: number, path: string, run: Run): Promise<boolean> {
  const { guard, url } = guardedInput(path, run)
  const read = ['-select_streams', String(index), '-read_intervals', `%+#${PACKETS}`]
  const shown = ['-show_entries', 'frame=interlaced_frame', '-of', 'csv=print_section=0']
  const { stdout } = await runProcess('ffprobe', ['-v', 'quiet', ...guard, ...read, ...shown, url], {
    limits: { ...processLimits(run.environment), cpu_seconds_max: CPU_SECONDS_MAX },
    folder: run.folder,
    url: run.source_url,
    signal: run.signal,
  })
  return /^1/m.test(stdout)
}
