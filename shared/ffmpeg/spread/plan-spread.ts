import type { MediaProbe } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { hasVariableRate } from '../cuts/cut.ts'
import type { VideoEdit } from '../edit.ts'
import { mapTracks } from '../filters.ts'
import { prepareEdits } from '../graph.ts'
import { isIndexed, videoTag } from '../output/containers.ts'
import { codecOf } from '../output/encoders.ts'
import { writeAudio, writeVideo } from '../output/streams.ts'
import type { Treatment } from '../output/treatment.ts'
import { audioPads, readSource, resultOptions } from '../render-step.ts'
import { exactRate } from '../video/frame-rate.ts'

/** The joined video, before it gets its audio. */
export const JOINED = 'joined.mp4'

/** The place of a frame is rounded, so it must not be halfway between two. */
const START_TOLERANCE_FRAMES = 0.4

/** Codecs whose keyframes show in the packets whether decoding can start there. */
const SOURCE_CODECS: readonly string[] = ['h264', 'hevc']

/**
 * Plans how workers can share an encode: the video without audio, the audio, and how both become the result.
 * @returns nothing if a frame of the result may depend on others, or if its time is not a multiple of the frame rate.
 */
export function planSpread(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  file: string,
): Pick<Plan, 'spread'> {
  if (!canSpread(edits, probe, treatment)) return {}
  const { video, container } = probe
  return {
    spread: {
      ...startOf(probe),
      track: video.index,
      container,
      codec: video.codec,
      reorders_frames: video.reorders_frames === true,
      video: videoStep(edits, probe, treatment),
      audio: audioStep(edits, probe, treatment),
      finish: finishStep(edits, probe, treatment, file),
    },
  }
}

function canSpread(edits: readonly VideoEdit[], probe: MediaProbe, treatment: Treatment): boolean {
  const { container, video: encoder } = treatment
  const is_joinable =
    Array.isArray(encoder) && codecOf(encoder) === 'h264' && (container === 'mp4' || container === 'mov')
  return is_joinable && edits.every(isFramewise) && hasRegularFrames(probe)
}

function startOf({ video }: Pick<MediaProbe, 'video'>) {
  const { start_seconds = 0 } = video
  const frames_per_second = exactRate(video.frames_per_second)
  return { frames_per_second, start_seconds, late_frames: Math.round(start_seconds * frames_per_second) }
}

/** Checks that every frame of a late video is rounded to the same place. */
function startsClearly(probe: MediaProbe): boolean {
  const { frames_per_second, start_seconds, late_frames } = startOf(probe)
  return Math.abs(start_seconds * frames_per_second - late_frames) < START_TOLERANCE_FRAMES
}

/** Checks that the frames of a part do not depend on when it starts. Captions do, and read their text from a file. */
function isFramewise({ cut, video, is_framewise, files, texts, images }: VideoEdit): boolean {
  const reads_files = files.length > 0 || texts.length > 0 || images.length > 0
  return cut === null && (video === null || is_framewise === true) && !reads_files
}

/** Checks that frames follow each other at the rate and that decoding can start at keyframes. */
function hasRegularFrames(probe: MediaProbe): boolean {
  const { video, clock_restarts, hides_start, hides_end, missing_seconds } = probe
  const { codec, interlaced, lacks_display_times, timescale } = video
  const is_complete = !clock_restarts && !hides_start && !hides_end && missing_seconds === undefined
  const has_times = timescale !== undefined && !lacks_display_times && startsClearly(probe)
  const is_seekable = isIndexed(probe) && probe.container !== 'avi' && SOURCE_CODECS.includes(codec)
  return is_complete && has_times && is_seekable && !interlaced && !hasVariableRate(video)
}

function videoStep(edits: readonly VideoEdit[], probe: MediaProbe, treatment: Treatment): FfmpegStep {
  const silent: Treatment = { ...treatment, audio: null, tracks: [] }
  const after = edits.at(-1)?.after ?? probe
  return {
    kind: 'ffmpeg',
    ...readSource({ seek: [], edits: prepareEdits(edits, probe) }, probe, silent, SOURCE),
    output: { file: 'segment.mp4', options: writeVideo(probe, after, silent) },
    output_duration_seconds: after.duration_seconds,
  }
}

function audioStep(edits: readonly VideoEdit[], probe: MediaProbe, treatment: Treatment): FfmpegStep | null {
  if (!Array.isArray(treatment.audio)) return null
  const heard: Treatment = { ...treatment, video: 'copy' }
  const prepared = prepareEdits(edits, probe)
  const { inputs, filter_graph } = readSource({ seek: [], edits: prepared }, probe, heard, SOURCE)
  return {
    kind: 'ffmpeg',
    inputs,
    filter_graph,
    output: {
      file: `audio.${treatment.container}`,
      options: writeAudio(audioPads(prepared, probe, treatment), treatment),
    },
    audio_tracks: treatment.tracks.map(({ index }) => index),
    output_duration_seconds: probe.duration_seconds,
  }
}

function finishStep(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  file: string,
): FfmpegStep {
  const { audio, container, tracks } = treatment
  const encodes_audio = Array.isArray(audio)
  const heard =
    audio === null ? [] : [...(encodes_audio ? ['-map', '2:a'] : mapTracks(tracks)), '-c:a', 'copy']
  return {
    kind: 'ffmpeg',
    // The source comes first, because the options of the result name its tracks and metadata.
    inputs: [
      { file: SOURCE, options: [] },
      { file: JOINED, options: [] },
      ...(encodes_audio ? [{ file: `audio.${container}`, options: [] }] : []),
    ],
    filter_graph: null,
    output: {
      file,
      options: [
        ...['-map', '1:v', '-c:v', 'copy', ...videoTag('h264', container)],
        ...heard,
        ...resultOptions(edits, probe, treatment, file),
      ],
    },
    output_duration_seconds: null,
  }
}
