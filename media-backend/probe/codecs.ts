import { processLimits } from '../runtime/ffmpeg.ts'
import { runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import type { Stream } from './ffprobe.ts'

/** Names that people know, by ffmpeg's name and by the tags of containers for which ffmpeg may have none. */
const TITLES: Record<string, string> = {
  ...named('VVC (H.266)', ['vvc', 'vvc1', 'vvi1']),
  ...named('Dolby Vision', ['dav1', 'dva1', 'dvav', 'dvh1', 'dvhe']),
  ...named('Dolby AC-4', ['ac4', 'ac-4']),
  ...named('MPEG-H 3D Audio', ['mpegh_3d_audio', 'mha1', 'mha2', 'mhm1', 'mhm2']),
  ...named('IAMF', ['iamf']),
  // ffmpeg 7 decodes it.
  ...named('PCM in MP4 (ISO/IEC 23003-5)', ['fpcm', 'ipcm']),
  ...named('EVC', ['evc', 'evc1']),
}

function named(title: string, keys: string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, title]))
}

type Coded = Pick<Stream, 'codec_name' | 'codec_tag_string'>

/** Names a stream's codec for people; null where nothing names it. */
export function codecTitle({ codec_name, codec_tag_string: tag }: Coded): string | null {
  const title = TITLES[tag.toLowerCase()] ?? TITLES[codec_name]
  if (title !== undefined) return title
  if (codec_name !== 'unknown') return codec_name
  return /^[\w-]{4}$/.test(tag) ? tag : null
}

/** Whether a codec is one that people know by name, although ffmpeg takes its stream for plain data. */
export function hasTitle({ codec_name, codec_tag_string: tag }: Coded): boolean {
  return tag.toLowerCase() in TITLES || codec_name in TITLES
}

/** Says that a codec is not supported. `what` is "video" or "audio". */
export function unsupportedSentence(what: string, title: string): string {
  return `The ${what} is encoded as ${title}, which is not supported. Convert it to a common codec first.`
}

/**
 * Lists the positions of the streams that the ffmpeg at hand cannot decode. A stream whose samples ffprobe
 * describes has a decoder; only of others is ffmpeg asked.
 */
export async function findUndecodable(streams: readonly Stream[], run: Run): Promise<ReadonlySet<number>> {
  const doubtful = streams.filter(
    ({ codec_type, pix_fmt, sample_fmt }) => (codec_type === 'video' ? pix_fmt : sample_fmt) === 'unknown',
  )
  if (doubtful.length === 0) return new Set()
  const decoders = await listDecoders(run)
  return new Set(doubtful.filter(({ codec_name }) => !decoders.has(codec_name)).map(({ index }) => index))
}

/** @throws Error when ffmpeg does not list them. */
async function listDecoders({ environment, folder, signal }: Run): Promise<ReadonlySet<string>> {
  const options = { limits: processLimits(environment), folder, signal }
  const { stdout } = await runProcess('ffmpeg', ['-hide_banner', '-v', 'quiet', '-codecs'], options)
  const names = [...stdout.matchAll(/^ D\S{5} (\S+)/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error('ffmpeg lists no decoders')
  return new Set(names)
}
