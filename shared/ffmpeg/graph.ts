import type { AudioTrack, MediaProbe } from '../planning/facts.ts'
import { toStereo } from './audio/stereo.ts'
import { keepInSync, NEVER_EMPTY } from './audio/sync.ts'
import { checkSeek, cutAudio, cutSeeks, cutVideo, readCut } from './cuts/cut.ts'
import { chain, type Fragment, type Pads, type VideoEdit } from './edit.ts'
import { encodedSize, ffmpegSeconds } from './filters.ts'
import { audibleEdits } from './output/treatment.ts'
import { sourceFilters } from './video/colors.ts'
import type { Size } from './video/frame-size.ts'
import { normalizeFrames } from './video/normalize-frames.ts'

/** The pad with the final video. */
export const VIDEO_PAD = '[video]'

/** An edit, prepared as part of one run. */
export interface PreparedEdit extends VideoEdit {
  /** The probe left by the previous edit. */
  before: MediaProbe
  /** Index of this edit's first additional input among the inputs of the step. */
  first_input: number
  /** Position where reading starts. The cut does not have to skip what comes before it. */
  seek_seconds: number
}

/** Numbers the additional inputs of edits. They follow those of the video. */
export function prepareEdits(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  video_inputs = 1,
): PreparedEdit[] {
  let first_input = video_inputs
  return edits.map((edit, position) => {
    const before = edits[position - 1]?.after ?? probe
    const numbered = { ...edit, before, first_input, seek_seconds: 0 }
    first_input += edit.files.length
    return numbered
  })
}

/** One attempt to read the source, either from the start or from a position before a cut. */
export interface SourceRead {
  seek: string[]
  edits: readonly PreparedEdit[]
  reads_seconds?: number
}

/**
 * Returns the positions where reading can start. A leading cut is reached by seeking, so little before it is
 * decoded.
 */
export function seeksOf([first]: readonly PreparedEdit[], probe: MediaProbe): number[] {
  return first?.cut == null ? [0] : cutSeeks(probe, first.cut)
}

export function applySeek(edits: readonly PreparedEdit[], seek_seconds: number): SourceRead {
  const [first, ...others] = edits
  if (first?.cut == null) return { seek: [], edits }
  const { options, reads_seconds } = readCut(first.cut, first.before, seek_seconds)
  return { seek: options, edits: [{ ...first, seek_seconds }, ...others], reads_seconds }
}

/** Renders the video: from upright source frames through each edit to the encoded size. */
export function renderVideo(edits: readonly PreparedEdit[], probe: MediaProbe): string[] {
  const last = edits.at(-1)?.after ?? probe
  const size = encodedSize(last.video)
  const { cut = null, seek_seconds = 0 } = edits[0] ?? {}
  const { filters, sinks } = normalizeFrames(probe)
  const first = [...filters, ...(cut === null ? [] : checkSeek(cut, probe, seek_seconds))]
  const graph = renderChain(`[0:${probe.video.index}]`, VIDEO_PAD, 'v', [
    { fragment: chain(...first, ...shownSource(edits, probe, size)) },
    ...edits.flatMap((edit) => [
      { fragment: edit.cut && cutVideo(edit.cut, edit.before, edit.seek_seconds) },
      { fragment: edit.video, edit },
    ]),
    { fragment: chain(...encodedFrames(size)) },
  ])
  return [...sinks, ...graph]
}

/**
 * Returns the filters that prepare the frames of the source for the edits. Unless one draws, frames are scaled to the
 * encoded size first, because tone mapping of 4K frames is slow.
 */
export function shownSource(edits: readonly VideoEdit[], probe: MediaProbe, size: Size): string[] {
  const last = edits.at(-1)?.after ?? probe
  const source = { ...probe.video, shows_fields: isFaster(last.video, probe.video) }
  return sourceFilters(source, edits.some(({ video }) => video !== null) ? probe.video : size)
}

/** Renders edits without cuts between two pads, from source frames to the encoded size. */
export function renderFrames(
  edits: readonly PreparedEdit[],
  size: Size,
  [from, to]: readonly [from: string, to: string],
): string[] {
  return renderChain(from, to, 'v', [
    ...edits.map((edit) => ({ fragment: edit.video, edit })),
    { fragment: chain(...encodedFrames(size)) },
  ])
}

/** Returns the last filters before an encoder. */
function encodedFrames({ width, height }: Size): string[] {
  return [`scale=${width}:${height}:out_range=tv`, 'setsar=1', 'format=yuv420p']
}

/** Checks whether the rate is high enough to turn each field of interlaced video into a frame. */
function isFaster(after: MediaProbe['video'], before: MediaProbe['video']): boolean {
  return after.frames_per_second > 1.5 * before.frames_per_second
}

export interface AudioPad {
  pad: string
  part: string
}

/** Renders each kept track through all edits, in stereo. Audio added to a silent video starts from silence. */
export function renderAudioTracks(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  tracks: readonly AudioTrack[],
): AudioPad[] {
  const audible = edits.slice(edits.length - audibleEdits(edits).length)
  if (tracks.length > 0) {
    return tracks.map(({ index, channels }, track) =>
      renderAudioTrack(audible, `[0:${index}]`, `audio${index}`, { track, channels }),
    )
  }
  const { duration_seconds } = audible[0]?.before ?? edits.at(-1)?.after ?? probe
  const silence = `anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=${ffmpegSeconds(duration_seconds)}`
  const { pad, part } = renderAudioTrack(audible, '[silence]', 'audio')
  return [{ pad, part: `${silence}[silence];${part}` }]
}

function renderAudioTrack(
  edits: readonly PreparedEdit[],
  from: string,
  name: string,
  { track = 0, channels = 2 } = {},
): AudioPad {
  const pad = `[${name}]`
  const parts = [
    ...toStereo(channels).map((filter) => ({ fragment: chain(filter) })),
    ...edits.flatMap((edit) => [
      { fragment: edit.cut && cutAudio(edit.cut, edit.before, edit.seek_seconds) },
      { fragment: typeof edit.audio === 'function' ? edit.audio : null, edit },
    ]),
    // Fills a late start and gaps with silence to keep the audio in sync.
    { fragment: chain(keepInSync(), NEVER_EMPTY) },
  ]
  return { pad, part: renderChain(from, pad, name, parts, track).join(';') }
}

interface Part {
  fragment: Fragment | null
  /** The edit that owns the files read by the fragment. */
  edit?: PreparedEdit
}

/** Connects fragments into one chain of a graph, pad to pad. */
function renderChain(from: string, to: string, label: string, parts: readonly Part[], track = 0): string[] {
  const used = parts.filter(({ fragment }) => fragment !== null)
  const pad = (position: number) =>
    position === used.length ? to : position === 0 ? from : `[${label}_${position}]`
  return used.map(({ fragment, edit }, position) => {
    const pads: Pads = {
      input: pad(position),
      output: pad(position + 1),
      own: (name) => `[${label}_${position}_${name}]`,
      file: (name, stream) => `[${inputOf(edit, name)}:${stream}]`,
      track,
    }
    return fragment?.(pads) ?? ''
  })
}

function inputOf(edit: PreparedEdit | undefined, name: string): number {
  const position = edit?.files.findIndex(({ file }) => file === name) ?? -1
  if (edit === undefined || position < 0) throw new Error(`no edit reads the file ${name}`)
  return edit.first_input + position
}
