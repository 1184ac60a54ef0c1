import createCommand from 'fluent-ffmpeg'
import type { FfmpegStep } from '../../shared/operations/steps.ts'
import { fileIn } from '../folder.ts'

/** Containers that hold sound and picture themselves; no playlist or manifest that opens other files. */
const DEMUXERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,asf,flv,ogg,mp3,aac,wav,flac'

/** Before every input, of ffmpeg and of ffprobe: local files only, in the formats that we take. */
export const INPUT_GUARD = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS]

const GLOBAL = [
  ...['-hide_banner', '-nostdin', '-y', '-loglevel', 'error'],
  ...['-nostats', '-progress', 'pipe:1', '-stats_period', '0.5'],
]

/** A path as ffmpeg's file protocol takes it: no name can be an option or name another protocol. */
export function fileUrl(folder: string, name: string): string {
  return `file:${fileIn(folder, name)}`
}

/** The arguments of one ffmpeg run, each a string of its own. Files are names in `folder`, or SOURCE. */
export function ffmpegArguments(step: FfmpegStep, folder: string): string[] {
  const command = createCommand()
  for (const { file, options } of step.inputs) {
    command.input(fileUrl(folder, file))
    command.inputOptions(...unsplit([...INPUT_GUARD, ...options]))
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
