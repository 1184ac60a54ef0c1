import { failureTexts } from '../../shared/failures/failures.ts'
import type { AssetFacts } from '../../shared/planning/facts.ts'
import type { AssetRequest } from '../../shared/planning/operation.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { decode } from '../runtime/decoder/decode.ts'
import { failWith, JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import { decodeHeic } from '../runtime/heic.ts'
import type { ReportProgress } from '../runtime/progress.ts'
import type { Stages } from '../runtime/read-stages.ts'
import type { Run } from '../runtime/run.ts'
import { weighFetched } from '../runtime/weights.ts'
import { downloadFile } from '../storage/download.ts'
import type { Storage } from '../storage/storage.ts'
import { readForeign } from './image/foreign/read-foreign.ts'
import { readMedia } from './probe.ts'
import { readTextFile } from './text.ts'

/**
 * Downloads and measures the files that parameters name, such as a logo or music. Each file accounts for an equal
 * share of the progress.
 * @throws JobFailure with the parameter's name, if a file is unavailable or is not of the expected kind.
 */
export async function gatherAssets(
  stages: Stages,
  sources: Dispatch['assets'],
  run: Run,
  storage: Storage,
  reportProgress: ReportProgress,
): Promise<Record<string, AssetFacts>> {
  const requests = stages.flatMap(({ operation, params }, index) =>
    (operation.assets?.(params) ?? []).map((asset) => ({ ...asset, key: assetKey(index, asset.name) })),
  )
  const facts: Record<string, AssetFacts> = {}
  for (const [index, { key, name, ...asset }] of requests.entries()) {
    const source = sources[key]
    if (source === undefined) throw failWith('asset_missing', { field: name })
    const file = `asset-${key}`
    try {
      await downloadFile(source, file, run, storage, (done_bytes, total_bytes) =>
        reportProgress((index + weighFetched(source.kind, done_bytes, total_bytes)) / requests.length),
      )
      facts[key] = await readAsset(file, asset, run)
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      throw failWith('parameter', { field: name, message: failureTexts(error.reason) })
    }
  }
  return facts
}

/**
 * Measures a file in the job's folder. Converts HEIC and other formats that sharp does not read to PNG.
 * @throws JobFailure if the file is not of the expected kind.
 */
export async function readAsset(
  file: string,
  { kind, language }: Pick<AssetRequest, 'kind' | 'language'>,
  run: Run,
): Promise<AssetFacts> {
  const path = fileIn(run.folder, file)
  if (kind === 'text')
    return { file, width: 0, height: 0, duration_seconds: 0, ...(await readTextFile(path, language)) }
  if (kind === 'image') return readImage(file, run)
  const { audio, duration_seconds } = await readMedia(path, run)
  const [first] = audio
  if (first === undefined) throw failWith('no_audio')
  if (first.unsupported !== undefined)
    throw failWith('unsupported_codec', { what: 'audio', title: first.unsupported })
  return { file, width: 0, height: 0, duration_seconds, channels: first.channels }
}

async function readImage(file: string, run: Run): Promise<AssetFacts> {
  const foreign = await readForeign(fileIn(run.folder, file), run)
  if (foreign?.decoded !== undefined) return makePng(file, foreign.decoded.file, foreign, run)
  const { format, width, height } = await decode('facts', { file }, run)
  const size = { width, height, duration_seconds: 0 }
  if (format !== 'heic') {
    // A later step would blame the input for a truncated file.
    await decode('decode_pages', { file, pages: [0] }, run)
    return { file, ...size }
  }
  const decoded = `${file}-decoded.tif`
  await decodeHeic({ input: file, output: { file: decoded } }, null, run)
  return makePng(file, decoded, size, run)
}

async function makePng(
  file: string,
  decoded: string,
  { width, height }: { width: number; height: number },
  run: Run,
): Promise<AssetFacts> {
  const clean = `${file}.png`
  await decode('make_png', { input: decoded, output: clean }, run)
  return { file: clean, width, height, duration_seconds: 0 }
}
