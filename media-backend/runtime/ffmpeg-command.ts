import createCommand from 'fluent-ffmpeg'
import { DEMUXERS } from '../../shared/ffmpeg/inputs.ts'
import { type FfmpegStep, SOURCE } from '../../shared/planning/steps.ts'
import { fileIn } from './folder.ts'
import { VIDEO_PIXELS_MAX } from './limits.ts'
import type { Run } from './run.ts'

/** Before every input, of ffmpeg and of ffprobe: local files only, in the formats that we take. */
export const INPUT_GUARD = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS]

/**
 * The same for the one input that is read by ranges from our own process (source/server.ts), which gives
 * a little at a time: ffmpeg asks for the rest at once, but once only.
 */
const RANGES_GUARD = [
  ...['-protocol_whitelist', 'http,tcp', '-format_whitelist', DEMUXERS],
  ...['-seekable', '1', '-max_redirects', '0', '-http_proxy', 'none'],
  ...['-reconnect', '1', '-reconnect_delay_max', '0'],
]

/** What stands before an input of ffmpeg or ffprobe, and the input: a file's path, or where SOURCE is read. */
export function guardedInput(
  path: string,
  { folder, source_url }: Pick<Run, 'folder' | 'source_url'>,
): { guard: readonly string[]; url: string } {
  return source_url !== undefined && path === fileIn(folder, SOURCE)
    ? { guard: RANGES_GUARD, url: source_url }
    : { guard: INPUT_GUARD, url: `file:${path}` }
}

/** A stream may change its size on the way: no frame is decoded that is larger than what is taken. */
const PIXEL_GUARD = ['-max_pixels', String(VIDEO_PIXELS_MAX)]

/** By these ffmpeg tells how far it is, on its standard output. */
export const PROGRESS = ['-nostats', '-progress', 'pipe:1', '-stats_period', '0.5']

const GLOBAL = [...['-hide_banner', '-nostdin', '-y', '-loglevel', 'error'], ...PROGRESS]

/** A path as ffmpeg's file protocol takes it: no name can be an option or name another protocol. */
export function fileUrl(folder: string, name: string): string {
  return `file:${fileIn(folder, name)}`
}

/** The arguments of one ffmpeg run, each a string of its own. Files are names in `folder`, or SOURCE. */
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

/** fluent-ffmpeg splits a single option at its blanks, but never one of several. */
function unsplit(options: string[]): string[] {
  if (options.length < 2) throw new Error('a single option would be split at its blanks')
  return options
}
