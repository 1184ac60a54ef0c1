import type { Fragment, Pads, VideoEdit } from '../edit.ts'
import type { MediaProbe } from '../facts.ts'
import { encodedSize, FAST_START, ffmpegSeconds, sourceFilters, WEB_AUDIO, webVideo } from '../filters.ts'
import type { EncodeMode, Plan } from '../operation.ts'
import { type FfmpegStep, SOURCE, type TextStep } from '../steps.ts'
import { containerOptions, copiedTracks, remuxContainer, type VideoContainer } from './containers.ts'

/** Where no edit asks for another: hardly to be told from the source, without costing much more. */
const PICTURE_DEFAULT = webVideo({ crf: 20, preset: 'veryfast' })

/** What of the source is encoded anew, and into which container it goes. */
interface Treatment {
  picture: string[] | 'copy'
  /** null: the result has no sound. */
  sound: string[] | 'copy' | null
  container: VideoContainer
}

/** Carries a row of edits out in one ffmpeg run; what no edit touches is copied packet by packet. */
export function planVideoEdits(
  edits: readonly [VideoEdit, ...VideoEdit[]],
  probe: MediaProbe,
  { stem, source = SOURCE }: { stem: string; source?: string },
): Plan {
  const treatment = chooseTreatment(edits, probe)
  const file = `${stem}.${treatment.container}`
  const texts = edits.flatMap((edit) => edit.texts.map((text): TextStep => ({ kind: 'text', ...text })))
  return {
    encode_mode: encodeModeOf(treatment),
    steps: [
      ...texts,
      ...edits.flatMap((edit) => edit.images),
      renderStep(edits, probe, treatment, source, file),
    ],
    outputs: [{ file }],
  }
}

function chooseTreatment(edits: readonly VideoEdit[], probe: MediaProbe): Treatment {
  const asked = Object.assign({}, ...edits.map((edit) => edit.encoding)) as VideoEdit['encoding']
  const isCut = edits.some((edit) => edit.cut !== null)
  const encodesPicture = isCut || edits.some((edit) => edit.picture !== null) || Array.isArray(asked.picture)
  const picture = encodesPicture ? (Array.isArray(asked.picture) ? asked.picture : PICTURE_DEFAULT) : 'copy'
  const silent = probe.audio.length === 0 || edits.some((edit) => edit.sound === 'none')
  const encodesSound =
    edits.some((edit) => typeof edit.sound === 'function') ||
    isCut ||
    Array.isArray(asked.sound) ||
    (encodesPicture && asked.sound !== 'copy')
  const encoded = Array.isArray(asked.sound) ? asked.sound : WEB_AUDIO
  const sound = silent ? null : encodesSound ? encoded : 'copy'
  const container = asked.container ?? (encodesPicture ? 'mp4' : remuxContainer(probe))
  return { picture, sound, container }
}

/** Specification: Encoding behaviour. A result without sound is judged by its picture alone. */
function encodeModeOf({ picture, sound }: Treatment): EncodeMode {
  if (picture === 'copy') return sound === 'copy' || sound === null ? 'remux' : 'video_copy'
  return sound === 'copy' ? 'audio_copy' : 'encode'
}

function renderStep(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
  file: string,
): FfmpegStep {
  const { seek, rest } = takeSeek(edits, treatment)
  const tracks = edits.some((edit) => edit.tracks === 'first') ? probe.audio.slice(0, 1) : probe.audio
  const sounds = treatment.sound === null ? [] : tracks
  const graph = [
    ...(treatment.picture === 'copy' ? [] : renderPicture(rest, probe)),
    ...(Array.isArray(treatment.sound) ? sounds.flatMap(({ index }) => renderSound(rest, index)) : []),
  ]
  const files = edits.flatMap((edit) => edit.files)
  const after = edits.at(-1)?.after ?? probe
  return {
    kind: 'ffmpeg',
    inputs: [
      { file: source, options: [...(treatment.picture === 'copy' ? ['-fflags', '+genpts'] : []), ...seek] },
      ...files.map(({ file: name, options }) => ({ file: name, options: [...options] })),
    ],
    filter_graph: graph.length === 0 ? null : graph.join(';'),
    output: {
      file,
      options: [
        ...mapPicture(probe, treatment),
        ...mapSound(sounds, treatment),
        ...mapSubtitles(probe, treatment),
        ...edits.flatMap((edit) => edit.options),
        ...(treatment.picture === 'copy' ? containerOptions(file) : fastStart(treatment.container)),
      ],
    },
    output_duration_seconds: after.duration_seconds,
  }
}

function fastStart(container: VideoContainer): string[] {
  return container === 'mp4' || container === 'mov' ? FAST_START : []
}

/** A cut that comes first is done by seeking, so that what lies before it is not even decoded. */
function takeSeek(edits: readonly VideoEdit[], { picture }: Treatment) {
  const [first, ...others] = edits
  if (first?.cut == null || picture === 'copy') return { seek: [], rest: edits }
  const { start, seconds } = first.cut
  const seek = ['-ss', ffmpegSeconds(start), '-t', ffmpegSeconds(seconds)]
  return { seek, rest: [{ ...first, cut: null }, ...others] }
}

function mapPicture(probe: MediaProbe, { picture }: Treatment): string[] {
  return picture === 'copy'
    ? ['-map', `0:${probe.video.index}`, '-c:v', 'copy']
    : ['-map', '[picture]', ...picture]
}

function mapSound(sounds: readonly { index: number }[], { sound }: Treatment): string[] {
  if (sound === null || sounds.length === 0) return []
  if (sound === 'copy') return [...sounds.flatMap(({ index }) => ['-map', `0:${index}`]), '-c:a', 'copy']
  return [...sounds.flatMap(({ index }) => ['-map', `[sound${index}]`]), ...sound]
}

/** Subtitles go along where nothing is encoded and the container takes them. */
function mapSubtitles(probe: MediaProbe, { picture, container }: Treatment): string[] {
  if (picture !== 'copy') return []
  const known = new Set([probe.video, ...probe.audio].map(({ index }) => index))
  const subtitles = copiedTracks(probe, container).filter(({ index }) => !known.has(index))
  return subtitles.length === 0
    ? []
    : [...subtitles.flatMap(({ index }) => ['-map', `0:${index}`]), '-c:s', 'copy']
}

/** From the source's frames, as players show them, through each edit to the size that is encoded. */
function renderPicture(edits: readonly VideoEdit[], probe: MediaProbe): string[] {
  const last = edits.at(-1)?.after ?? probe
  const { width, height } = encodedSize(last.video)
  const cuts = (edit: VideoEdit) => cutFragment(edit, 'trim', 'setpts')
  return renderRow(`[0:${probe.video.index}]`, '[picture]', edits, 'v', [
    ...sourceFilters(probe.video).map(
      (filter): Fragment =>
        ({ input, output }) =>
          `${input}${filter}${output}`,
    ),
    ...edits.flatMap((edit) => [cuts(edit), edit.picture]),
    ({ input, output }) => `${input}scale=${width}:${height},setsar=1,format=yuv420p${output}`,
  ])
}

function renderSound(edits: readonly VideoEdit[], index: number): string[] {
  const cuts = (edit: VideoEdit) => cutFragment(edit, 'atrim', 'asetpts')
  const fragments = edits.flatMap((edit) => [
    cuts(edit),
    typeof edit.sound === 'function' ? edit.sound : null,
  ])
  return renderRow(`[0:${index}]`, `[sound${index}]`, edits, `a${index}`, [
    ...fragments,
    ({ input, output }) => `${input}aresample=async=1:first_pts=0${output}`,
  ])
}

function cutFragment({ cut }: VideoEdit, trim: string, reset: string): Fragment | null {
  if (cut === null) return null
  const range = `start=${ffmpegSeconds(cut.start)}:duration=${ffmpegSeconds(cut.seconds)}`
  return ({ input, output }) => `${input}${trim}=${range},${reset}=PTS-STARTPTS${output}`
}

/** Joins fragments into one row of a graph, pad to pad. */
function renderRow(
  from: string,
  to: string,
  edits: readonly VideoEdit[],
  row: string,
  fragments: readonly (Fragment | null)[],
): string[] {
  const parts = fragments.filter((fragment) => fragment !== null)
  const files = edits.flatMap((edit) => edit.files.map(({ file }) => file))
  const pad = (position: number) =>
    position === parts.length ? to : position === 0 ? from : `[${row}_${position}]`
  return parts.map((fragment, position) =>
    fragment({
      input: pad(position),
      output: pad(position + 1),
      own: (name) => `[${row}_${position}_${name}]`,
      file: (name, stream) => `[${files.indexOf(name) + 1}:${stream}]`,
    } satisfies Pads),
  )
}
