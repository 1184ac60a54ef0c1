import { processLimits } from '../runtime/ffmpeg.ts'
import { runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import type { Stream } from './ffprobe.ts'

export const PCM_IN_MP4 = 'PCM in MP4 (ISO/IEC 23003-5)'

/** Common codec names, keyed by ffmpeg's codec names and by container tags for which ffmpeg may have no name. */
const TITLES: Record<string, string> = {
  ...named('VVC (H.266)', ['vvc', 'vvc1', 'vvi1']),
  ...named('Dolby Vision', ['dav1', 'dva1', 'dvav', 'dvh1', 'dvhe']),
  ...named('Dolby AC-4', ['ac4', 'ac-4']),
  ...named('MPEG-H 3D Audio', ['mpegh_3d_audio', 'mha1', 'mha2', 'mhm1', 'mhm2']),
  ...named('IAMF', ['iamf']),
  // ffmpeg 7 and later decode these.
  ...named(PCM_IN_MP4, ['fpcm', 'ipcm']),
  ...named('EVC', ['evc', 'evc1']),
}

function named(title: string, keys: string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, title]))
}

type Coded = Pick<Stream, 'codec_name' | 'codec_tag_string'>

/**
 * Returns the name of a stream's codec: the common name, ffmpeg's name, or the container tag. Returns null if there
 * is none.
 */
export function codecTitle({ codec_name, codec_tag_string: tag }: Coded): string | null {
  const title = TITLES[tag.toLowerCase()] ?? TITLES[codec_name]
  if (title !== undefined) return title
  if (codec_name !== 'unknown') return codec_name
  return /^[\w-]{4}$/.test(tag) ? tag : null
}

/** Checks whether a codec has a common name, even if ffmpeg treats its stream as data. */
export function hasTitle({ codec_name, codec_tag_string: tag }: Coded): boolean {
  return tag.toLowerCase() in TITLES || codec_name in TITLES
}

/**
 * Returns the indices of streams that the installed ffmpeg cannot decode. If ffprobe reports a stream's sample or
 * pixel format, a decoder exists; otherwise, looks up the codec in the list of decoders.
 */
export async function findUndecodable(streams: readonly Stream[], run: Run): Promise<ReadonlySet<number>> {
  const doubtful = streams.filter(
    ({ codec_type, pix_fmt, sample_fmt }) => (codec_type === 'video' ? pix_fmt : sample_fmt) === 'unknown',
  )
  if (doubtful.length === 0) return new Set()
  const decoders = await listDecoders(run)
  return new Set(doubtful.filter(({ codec_name }) => !decoders.has(codec_name)).map(({ index }) => index))
}

/**
 * Lists the codecs that ffmpeg can decode.
 * @throws Error if ffmpeg prints no list.
 */
async function listDecoders({ environment, folder, signal }: Run): Promise<ReadonlySet<string>> {
  const options = { limits: processLimits(environment), folder, signal }
  const { stdout } = await runProcess('ffmpeg', ['-hide_banner', '-v', 'quiet', '-codecs'], options)
  const names = [...stdout.matchAll(/^ D\S{5} (\S+)/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error('ffmpeg printed no decoders')
  return new Set(names)
}
