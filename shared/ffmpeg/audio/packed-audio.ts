import type { AudioTrack, MediaProbe } from '../../planning/facts.ts'
import { type FfmpegInput, type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import {
  canCopyAudio,
  canCopyVideo,
  containerOptions,
  copiedSubtitles,
  videoTag,
} from '../output/containers.ts'
import { keepMetadata } from '../output/metadata.ts'

const UNPACKED = 'unpacked.mov'

/** Returns the file name for the raw stream of a packed track, which ffmpeg reads as one frame per packet. */
function framesFile(index: number): string {
  return `frames-${index}.amr`
}

/** Returns the step that writes the frames of a packed track as a raw stream. */
export function unpackTrackStep(index: number): FfmpegStep {
  return {
    kind: 'ffmpeg',
    inputs: [{ file: SOURCE, options: [] }],
    filter_graph: null,
    output: { file: framesFile(index), options: ['-map', `0:${index}`, '-c', 'copy', '-f', 'amr'] },
    output_duration_seconds: null,
  }
}

/** Returns the input that reads that stream with the timestamps of the track. Its only track has index 0. */
export function unpackedTrack({ index, packed }: AudioTrack): FfmpegInput {
  return {
    file: framesFile(index),
    options: ['-itsoffset', ffmpegSeconds(packed?.start_seconds ?? 0)],
  }
}

/** A copy that replaces the input, the steps that write it, and its probe. */
export interface Unpacked {
  file: string
  steps: FfmpegStep[]
  probe: MediaProbe
}

/**
 * Copies an input with several AMR frames per sample into a file with one frame per sample. ffmpeg 5.1 decodes only
 * the first frame of each sample, and no version can copy packed AMR-NB.
 * @returns null if there is no such track.
 */
export function unpackAudio(probe: MediaProbe): Unpacked | null {
  const packed = probe.audio.filter((track) => track.packed !== undefined)
  const can_copy = canCopyVideo(probe, 'mov') && canCopyAudio(probe, 'mov')
  if (packed.length === 0 || !can_copy) return null
  const subtitles = copiedSubtitles(probe, 'mov')
  const tracks = [probe.video, ...probe.audio, ...subtitles]
  const copy: FfmpegStep = {
    kind: 'ffmpeg',
    inputs: [{ file: SOURCE, options: [] }, ...packed.map(unpackedTrack)],
    filter_graph: null,
    output: {
      file: UNPACKED,
      options: [
        ...tracks.flatMap(({ index }) => {
          const position = packed.findIndex((track) => track.index === index)
          return ['-map', position < 0 ? `0:${index}` : `${position + 1}:0`]
        }),
        ...['-c', 'copy', ...videoTag(probe.video.codec, 'mov'), ...containerOptions(UNPACKED)],
        ...keepMetadata(probe, 'mov'),
      ],
    },
    output_duration_seconds: probe.duration_seconds,
  }
  return {
    file: UNPACKED,
    steps: [...packed.map(({ index }) => unpackTrackStep(index)), copy],
    probe: renumber(probe, tracks),
  }
}

type Track = { index: number }

/** Returns the probe of a file that contains only these tracks, in this order. */
function renumber({ cover: _, subtitles = [], ...probe }: MediaProbe, tracks: readonly Track[]): MediaProbe {
  const place = <T extends Track>(track: T): T => ({
    ...track,
    index: tracks.findIndex(({ index }) => index === track.index),
  })
  return {
    ...probe,
    video: place(probe.video),
    audio: probe.audio.map(({ packed: _packed, ...track }) => place(track)),
    subtitles: subtitles.map(place).filter(({ index }) => index >= 0),
  }
}
