import { writeCopiedAudio } from '../ffmpeg/audio/copied-audio.ts'
import {
  containerOptions,
  copiedTracks,
  remuxContainer,
  type VideoContainer,
  videoTag,
} from '../ffmpeg/output/containers.ts'
import { keepMetadata } from '../ffmpeg/output/metadata.ts'
import type { MediaProbe } from '../planning/facts.ts'
import type { Plan } from '../planning/operation.ts'
import { SOURCE } from '../planning/steps.ts'
import { threeLetterCode } from '../speech/languages.ts'
import type { Cue } from './cues.ts'
import { writeSrt, writeVtt } from './write.ts'

const CODECS: Record<VideoContainer, string> = {
  mp4: 'mov_text',
  mov: 'mov_text',
  mkv: 'subrip',
  webm: 'webvtt',
}

/** Copies all streams and adds a subtitle track that viewers can turn on. */
export function planEmbed(probe: MediaProbe, cues: readonly Cue[], language: string): Plan {
  const container = remuxContainer(probe)
  const format = container === 'webm' ? 'webvtt' : 'srt'
  const captions = format === 'webvtt' ? 'captions.vtt' : 'captions.srt'
  const tracks = copiedTracks(probe, container)
  const known = new Set([probe.video, ...probe.audio].map(({ index }) => index))
  const position = tracks.filter(({ index }) => !known.has(index)).length
  const audio = writeCopiedAudio(probe, container)
  const file = `subtitled.${container}`
  return {
    encode_mode: audio.encode_mode,
    steps: [
      { kind: 'text', file: captions, content: format === 'webvtt' ? writeVtt(cues) : writeSrt(cues) },
      {
        kind: 'ffmpeg',
        inputs: [
          { file: SOURCE, options: ['-fflags', '+genpts'] },
          // The service wrote this file, so ffmpeg reads it only as subtitles.
          { file: captions, options: ['-f', format, '-format_whitelist', format] },
        ],
        filter_graph: null,
        output: {
          file,
          options: [
            ...tracks.flatMap(({ index }) => ['-map', `0:${index}`]),
            ...['-map', '1:0', '-c', 'copy', ...audio.options, `-c:s:${position}`, CODECS[container]],
            ...[`-metadata:s:s:${position}`, `language=${threeLetterCode(language)}`],
            ...[`-disposition:s:${position}`, 'default'],
            ...videoTag(probe.video.codec, container),
            ...containerOptions(file),
            ...keepMetadata(probe, container),
          ],
        },
        output_duration_seconds: probe.duration_seconds,
      },
    ],
    outputs: [{ file }],
  }
}
