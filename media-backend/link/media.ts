import { rename, stat, writeFile } from 'node:fs/promises'
import { supportsCodec, type VideoContainer, videoTag } from '../../shared/ffmpeg/output/containers.ts'
import { type ChosenFormats, chooseFormats } from '../../shared/links/formats.ts'
import { formatsOf, LinkFormat, type LinkInfo } from '../../shared/links/info.ts'
import type { LinkMedia } from '../../shared/planning/facts.ts'
import type { LinkRequest } from '../../shared/planning/operation.ts'
import { type FfmpegStep, SOURCE } from '../../shared/planning/steps.ts'
import { readMedia } from '../probe/probe.ts'
import { failWith } from '../runtime/failure.ts'
import { runFfmpeg } from '../runtime/ffmpeg.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { failed, linkFailure } from './failure.ts'
import type { LinkProxy } from './proxy.ts'
import { downloadArguments, parseFraction, runYtDlp } from './yt-dlp.ts'

const INFO_FILE = 'link.info.json'

/**
 * Downloads the requested media as SOURCE and measures it.
 * @param answer yt-dlp's response for the link.
 * @throws JobFailure if the link has no such media or it cannot be downloaded.
 */
export async function fetchMedia(
  request: LinkRequest,
  answer: Record<string, unknown>,
  info: LinkInfo,
  run: Run,
  proxy: LinkProxy,
  reportProgress: (fraction: number) => void,
): Promise<LinkMedia> {
  const chosen = chooseFormats(info.formats, request)
  if (chosen === null) throw nothingToFetch(request, info)
  const formats = [chosen.video, chosen.audio].filter((format) => format !== null)
  const files: string[] = []
  for (const [index, format] of formats.entries()) {
    const file = `link-part${index}`
    const reportPart = (fraction: number) => reportProgress((index + fraction) / formats.length)
    await fetchFormat(format, answer, file, run, proxy, reportPart)
    files.push(file)
  }
  await joinParts(chosen, files, run)
  return readMedia(fileIn(run.folder, SOURCE), run)
}

function nothingToFetch({ media }: LinkRequest, { formats }: LinkInfo): Error {
  const audio_request = { media: 'audio', lines_max: null, audio_codec: null } as const
  return media === 'video' && chooseFormats(formats, audio_request) !== null
    ? failWith('link_audio_only')
    : failed('no_format')
}

async function fetchFormat(
  format: LinkFormat,
  answer: Record<string, unknown>,
  file: string,
  run: Run,
  proxy: LinkProxy,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  const own = formatsOf(answer).filter(
    (known) => LinkFormat.safeParse(known).data?.format_id === format.format_id,
  )
  const { requested_formats, requested_downloads, comments, ...rest } = answer
  const info_file = fileIn(run.folder, INFO_FILE)
  await writeFile(
    info_file,
    JSON.stringify({ ...rest, ...(answer.formats === undefined ? {} : { formats: own.slice(0, 1) }) }),
    { mode: 0o600 },
  )
  let is_too_large = false
  const args = downloadArguments(INFO_FILE, file, run.environment.INPUT_BYTES_MAX)
  const result = await runYtDlp(args, run, proxy, (line) => {
    is_too_large ||= /larger than max-filesize/.test(line)
    const fraction = parseFraction(line)
    if (fraction !== null) reportProgress(fraction)
  })
  const written = await stat(fileIn(run.folder, file)).catch(() => null)
  if (result.code === 0 && written !== null && written.size > 0 && !proxy.exceeded()) return
  throw linkFailure(is_too_large ? { ...result, stderr: 'max-filesize' } : result, proxy)
}

/** Copies the downloaded parts into one browser-playable file, which becomes SOURCE. */
async function joinParts(chosen: ChosenFormats, files: readonly string[], run: Run): Promise<void> {
  const parts = await Promise.all(files.map((file) => readMedia(fileIn(run.folder, file), run)))
  const [first] = files
  const [part] = parts
  if (first === undefined || part === undefined) throw new Error('nothing was downloaded')
  const is_playable = /mp4|webm|matroska/.test(part.container) && files.length === 1
  if (chosen.video === null || part.video === null || is_playable) {
    return rename(fileIn(run.folder, first), fileIn(run.folder, SOURCE))
  }
  const with_audio = parts.findLast(({ audio }) => audio.length > 0)
  const at = with_audio === undefined ? -1 : parts.indexOf(with_audio)
  const tracks = with_audio?.audio ?? []
  const container = containerOf([part.video.codec, ...tracks.map(({ codec }) => codec)])
  const joined = `link-joined.${container}`
  const step: FfmpegStep = {
    kind: 'ffmpeg',
    inputs: files.map((file) => ({ file, options: ['-fflags', '+genpts'] })),
    filter_graph: null,
    output: {
      file: joined,
      options: [
        ...['-map', `0:${part.video.index}`, ...tracks.flatMap(({ index }) => ['-map', `${at}:${index}`])],
        ...['-c', 'copy', ...videoTag(part.video.codec, container)],
      ],
    },
    output_duration_seconds: null,
  }
  await runFfmpeg(step, run, () => {})
  await rename(fileIn(run.folder, joined), fileIn(run.folder, SOURCE))
}

function containerOf(codecs: readonly string[]): VideoContainer {
  const all = (container: VideoContainer) => codecs.every((codec) => supportsCodec(container, codec))
  if (all('webm')) return 'webm'
  return all('mp4') ? 'mp4' : 'mkv'
}
