import createCommand from 'fluent-ffmpeg'
import { DEMUXERS } from '../../shared/ffmpeg/inputs.ts'
import { type FfmpegStep, SOURCE } from '../../shared/planning/steps.ts'
import { fileIn } from './folder.ts'
import { VIDEO_PIXELS_MAX } from './limits.ts'
import type { Run } from './run.ts'

/** Options before every ffmpeg or ffprobe input: allow only local files in the supported formats. */
export const INPUT_GUARD = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS]

/**
 * Options for the only input that ffmpeg reads from this process with range requests
 * (media-backend/storage/parts-server.ts). The responses are short: ffmpeg reconnects immediately for the rest, but
 * only once per response.
 */
const RANGES_GUARD = [
  ...['-protocol_whitelist', 'http,tcp', '-format_whitelist', DEMUXERS],
  ...['-seekable', '1', '-max_redirects', '0', '-http_proxy', 'none'],
  ...['-reconnect', '1', '-reconnect_delay_max', '0'],
]

/** Returns an input for ffmpeg or ffprobe and the options before it. The input is a file or the URL of SOURCE. */
export function guardedInput(
  path: string,
  { folder, source_url }: Pick<Run, 'folder' | 'source_url'>,
): { guard: readonly string[]; url: string } {
  return source_url !== undefined && path === fileIn(folder, SOURCE)
    ? { guard: RANGES_GUARD, url: source_url }
    : { guard: INPUT_GUARD, url: `file:${path}` }
}

/** Frames larger than the limit are not decoded, because a stream can change its frame size midway. */
export const PIXEL_GUARD = ['-max_pixels', String(VIDEO_PIXELS_MAX)]

/** Options that make ffmpeg write its progress to standard output. */
export const PROGRESS = ['-nostats', '-progress', 'pipe:1', '-stats_period', '0.5']

const GLOBAL = [...['-hide_banner', '-nostdin', '-y', '-loglevel', 'error'], ...PROGRESS]

/** Returns a path as a file URL, which ffmpeg cannot mistake for an option or another protocol. */
export function fileUrl(folder: string, name: string): string {
  return `file:${fileIn(folder, name)}`
}

/** Returns the arguments for one ffmpeg run. Files are names in `folder`, or SOURCE. */
export function ffmpegArguments(step: FfmpegStep, folder: string, source_url?: string): string[] {
  const command = createCommand()
  for (const { file, options } of step.inputs) {
    const { guard, url } = guardedInput(fileIn(folder, file), { folder, source_url })
    command.input(url)
    command.inputOptions(...unsplit([...guard, ...PIXEL_GUARD, ...options]))
  }
  if (step.filter_graph !== null) command.complexFilter(step.filter_graph)
  command.output(fileUrl(folder, step.output.file))
  command.outputOptions(...unsplit(['-max_muxing_queue_size', '4096', ...step.output.options]))
  return [...GLOBAL, ...command._getArguments()]
}

/** Rejects a single option, the only case in which fluent-ffmpeg splits at spaces. */
function unsplit(options: string[]): string[] {
  if (options.length < 2) throw new Error('fluent-ffmpeg splits a single option at its spaces')
  return options
}
