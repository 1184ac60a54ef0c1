import type { Fragment, Pads, VideoEdit } from '../edit.ts'
import type { MediaProbe, VideoTrack } from '../facts.ts'
import { encodedSize, ffmpegSeconds, sourceFilters } from '../filters.ts'
import type { Plan } from '../operation.ts'
import { type FfmpegStep, SOURCE, type TextStep } from '../steps.ts'
import { containerOptions, copiedSubtitles } from './containers.ts'
import { cutPicture, cutSound, isUneven, seekSeconds } from './cut.ts'
import { codecOf } from './encoders.ts'
import { chooseTreatment, encodeModeOf, heardEdits, type Treatment } from './treatment.ts'

/** A pad of the graph that a step's output maps. */
const PICTURE = '[picture]'

/** Carries a row of edits out in one ffmpeg run; what no edit touches is copied packet by packet. */
export function planVideoEdits(
  edits: readonly [VideoEdit, ...VideoEdit[]],
  probe: MediaProbe,
  { stem, source = SOURCE }: { stem: string; source?: string },
): Plan {
  const treatment = chooseTreatment(edits, probe)
  const file = `${stem}.${treatment.container}`
  return {
    encode_mode: encodeModeOf(treatment),
    steps: [
      ...writeTexts(edits),
      ...edits.flatMap(({ images }) => images),
      renderStep(numberInputs(edits), probe, treatment, source, file),
    ],
    outputs: [{ file }],
    body: Object.assign({}, ...edits.map((edit) => edit.body)),
  }
}

/** The facts of the file that planVideoEdits makes of a row of edits, for what works on that file. */
export function probeAfter(edits: readonly VideoEdit[], probe: MediaProbe): MediaProbe {
  const treatment = chooseTreatment(edits, probe)
  const after = edits.at(-1)?.after ?? probe
  const { picture, sound, container } = treatment
  const sounds = sound === null ? 0 : Math.max(1, treatment.tracks.length)
  return {
    container: container === 'mkv' || container === 'webm' ? 'matroska,webm' : 'mov,mp4,m4a,3gp,3g2,mj2',
    duration_seconds: after.duration_seconds,
    video: picture === 'copy' ? { ...probe.video, index: 0 } : encodedTrack(after, picture),
    audio: Array.from({ length: sounds }, (_, position) => ({
      index: position + 1,
      codec: (Array.isArray(sound) ? codecOf(sound) : treatment.tracks[position]?.codec) ?? 'unknown',
      channels: sound === 'copy' ? (treatment.tracks[position]?.channels ?? 2) : 2,
    })),
    subtitles: [],
  }
}

function encodedTrack({ video }: MediaProbe, encoder: string[]): VideoTrack {
  return {
    ...video,
    ...encodedSize(video),
    index: 0,
    codec: codecOf(encoder) ?? 'unknown',
    rotation_degrees: 0,
    pixel_format: 'yuv420p',
    color_transfer: 'bt709',
    color_range: 'tv',
    interlaced: false,
  }
}

interface RowEdit extends VideoEdit {
  /** Where its further inputs start among those of the step. */
  first_input: number
  /** What its cut need not skip, since reading starts there. */
  seek_seconds: number
}

function numberInputs(edits: readonly VideoEdit[]): RowEdit[] {
  let first_input = 1
  return edits.map((edit) => {
    const numbered = { ...edit, first_input, seek_seconds: 0 }
    first_input += edit.files.length
    return numbered
  })
}

/** Texts are named by their content: what two edits both write is the same. */
function writeTexts(edits: readonly VideoEdit[]): TextStep[] {
  const contents = new Map(edits.flatMap(({ texts }) => texts.map(({ file, content }) => [file, content])))
  return [...contents].map(([file, content]) => ({ kind: 'text', file, content }))
}

function renderStep(
  edits: readonly RowEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
  file: string,
): FfmpegStep {
  const { seek, row } = takeSeek(edits, probe)
  const { picture, sound, tracks } = treatment
  const sounds = Array.isArray(sound) ? renderSounds(row, probe, tracks) : []
  const graph = [...(picture === 'copy' ? [] : renderPicture(row, probe)), ...sounds.map(({ part }) => part)]
  const after = edits.at(-1)?.after ?? probe
  return {
    kind: 'ffmpeg',
    inputs: [
      // AVI and the like carry no presentation times; a copy into other containers wants them.
      { file: source, options: [...(picture === 'copy' ? ['-fflags', '+genpts'] : []), ...seek] },
      ...edits.flatMap(({ files }) =>
        files.map(({ file: name, options }) => ({ file: name, options: [...options] })),
      ),
    ],
    filter_graph: graph.length === 0 ? null : graph.join(';'),
    output: {
      file,
      options: [
        ...writePicture(probe, after, treatment),
        ...writeSound(sounds, treatment),
        ...writeSubtitles(probe, treatment),
        ...(keepsTimes(edits, probe) ? [] : ['-map_chapters', '-1']),
        ...containerOptions(file),
        ...edits.flatMap((edit) => edit.options),
      ],
    },
    output_duration_seconds: after.duration_seconds,
  }
}

/** A cut that comes first is reached by seeking, so that little before it is decoded. */
function takeSeek(edits: readonly RowEdit[], probe: MediaProbe): { seek: string[]; row: readonly RowEdit[] } {
  const [first, ...others] = edits
  const seek_seconds = first?.cut == null ? 0 : seekSeconds(probe, first.cut)
  if (first === undefined || seek_seconds === 0) return { seek: [], row: edits }
  return {
    seek: ['-noaccurate_seek', '-ss', ffmpegSeconds(seek_seconds)],
    row: [{ ...first, seek_seconds }, ...others],
  }
}

/** Chapters would point anywhere once the picture was cut or runs at another speed. */
function keepsTimes(edits: readonly VideoEdit[], probe: MediaProbe): boolean {
  return edits.every(({ cut, after }) => cut === null && after.duration_seconds === probe.duration_seconds)
}

function writePicture(probe: MediaProbe, after: MediaProbe, { picture, container }: Treatment): string[] {
  const codec = picture === 'copy' ? probe.video.codec : codecOf(picture)
  // Under its other name Apple's players don't know HEVC.
  const tag = codec === 'hevc' && (container === 'mp4' || container === 'mov') ? ['-tag:v', 'hvc1'] : []
  if (picture === 'copy') return ['-map', `0:${probe.video.index}`, '-c:v', 'copy', ...tag]
  return ['-map', PICTURE, ...picture, ...tag, ...(isUneven(after.video) ? unevenTimes(after, codec) : [])]
}

/** Times finer than any frame rate; x264 must be told a rate, or it asks players for the impossible. */
function unevenTimes({ video }: MediaProbe, codec: string | null): string[] {
  const rate = Math.min(60, Math.max(10, Math.round(video.frames_per_second) || 0))
  return [
    ...['-fps_mode', 'vfr', '-enc_time_base', '1:90000'],
    ...(codec === 'h264' ? ['-x264-params', `fps=${rate}`] : []),
  ]
}

function writeSound(sounds: readonly Sound[], { sound, tracks }: Treatment): string[] {
  if (sound === null) return []
  if (sound === 'copy') return [...tracks.flatMap(({ index }) => ['-map', `0:${index}`]), '-c:a', 'copy']
  return [...sounds.flatMap(({ pad }) => ['-map', pad]), ...sound]
}

/** Subtitles go along where nothing is encoded and the container takes them. */
function writeSubtitles(probe: MediaProbe, { picture, container }: Treatment): string[] {
  const subtitles = picture === 'copy' ? copiedSubtitles(probe, container) : []
  if (subtitles.length === 0) return []
  return [...subtitles.flatMap(({ index }) => ['-map', `0:${index}`]), '-c:s', 'copy']
}

/** From the source's frames, as players show them, through each edit to the size that is encoded. */
function renderPicture(edits: readonly RowEdit[], probe: MediaProbe): string[] {
  const last = edits.at(-1)?.after ?? probe
  const size = encodedSize(last.video)
  // Where no edit draws, the picture is made small first: tone mapping of a 4K frame is slow.
  const source_size = edits.some(({ picture }) => picture !== null) ? probe.video : size
  return renderRow(`[0:${probe.video.index}]`, PICTURE, 'v', [
    { fragment: plain(sourceFilters(probe.video, source_size)) },
    ...edits.flatMap((edit, position) => [
      { fragment: edit.cut && cutPicture(edit.cut, before(edits, position, probe), edit.seek_seconds) },
      { fragment: edit.picture, edit },
    ]),
    { fragment: plain([`scale=${size.width}:${size.height}:out_range=tv`, 'setsar=1', 'format=yuv420p']) },
  ])
}

function before(edits: readonly VideoEdit[], position: number, probe: MediaProbe): MediaProbe {
  return edits[position - 1]?.after ?? probe
}

interface Sound {
  pad: string
  part: string
}

/** Each track that is kept goes through all edits; a silent video that gets sound starts from silence. */
function renderSounds(
  edits: readonly RowEdit[],
  probe: MediaProbe,
  tracks: readonly { index: number }[],
): Sound[] {
  const heard = edits.slice(edits.length - heardEdits(edits).length)
  if (tracks.length > 0) {
    return tracks.map(({ index }, track) => renderSound(heard, `[0:${index}]`, `sound${index}`, track))
  }
  const { duration_seconds } = before(edits, edits.length - heard.length, probe)
  const silence = `anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=${ffmpegSeconds(duration_seconds)}`
  const { pad, part } = renderSound(heard, '[silence]', 'sound', 0)
  return [{ pad, part: `${silence}[silence];${part}` }]
}

function renderSound(edits: readonly RowEdit[], from: string, name: string, track: number): Sound {
  const pad = `[${name}]`
  const row = [
    ...edits.flatMap((edit) => [
      { fragment: edit.cut && cutSound(edit.cut, edit.seek_seconds) },
      { fragment: typeof edit.sound === 'function' ? edit.sound : null, edit },
    ]),
    // Sound that starts late gets silence before it, and gaps are filled: it stays in step.
    { fragment: plain(['aresample=async=1:first_pts=0']) },
  ]
  return { pad, part: renderRow(from, pad, name, row, track).join(';') }
}

interface Part {
  fragment: Fragment | null
  /** The edit whose files the fragment names. */
  edit?: RowEdit
}

/** Joins fragments into one row of a graph, pad to pad. */
function renderRow(from: string, to: string, row: string, parts: readonly Part[], track = 0): string[] {
  const used = parts.filter(({ fragment }) => fragment !== null)
  const pad = (position: number) =>
    position === used.length ? to : position === 0 ? from : `[${row}_${position}]`
  return used.map(({ fragment, edit }, position) => {
    const pads: Pads = {
      input: pad(position),
      output: pad(position + 1),
      own: (name) => `[${row}_${position}_${name}]`,
      file: (name, stream) => `[${inputOf(edit, name)}:${stream}]`,
      track,
    }
    return fragment?.(pads) ?? ''
  })
}

function inputOf(edit: RowEdit | undefined, name: string): number {
  const position = edit?.files.findIndex(({ file }) => file === name) ?? -1
  if (edit === undefined || position < 0) throw new Error(`no edit reads the file ${name}`)
  return edit.first_input + position
}

function plain(filters: readonly string[]): Fragment {
  return ({ input, output }) => `${input}${filters.join(',')}${output}`
}
