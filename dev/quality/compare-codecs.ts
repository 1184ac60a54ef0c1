import { stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { fileIn } from '../../media-backend/runtime/folder.ts'
import { runPlan } from '../../media-backend/steps/plan.ts'
import { planVideo } from '../../media-backend/testing/plan-video.ts'
import {
  COMPRESSED_CODECS,
  COMPRESSION_LEVELS,
  type CompressedCodec,
  type CompressionLevel,
} from '../../shared/ffmpeg/compressed-video.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { measureCpu } from './measure-cpu.ts'
import { type MeasuredVideo, measureVideo } from './measure-video.ts'
import { listVideos } from './measure-videos.ts'

/** A result of `compress`. */
export interface CompressedClip extends MeasuredVideo {
  bytes: number
  cpu_seconds: number
}

type Levels = Readonly<Record<CompressionLevel, CompressedClip>>

export interface ComparedCodecs {
  name: string
  codecs: Readonly<Record<CompressedCodec, Levels>>
}

/** Compresses the videos of a folder with every codec and level. */
export async function compareCodecs(folder: string): Promise<ComparedCodecs[]> {
  const compared: ComparedCodecs[] = []
  for (const file of await listVideos(folder)) {
    const codecs = await mapAll(COMPRESSED_CODECS, (codec) =>
      mapAll(COMPRESSION_LEVELS, (level) => compressClip(join(folder, file), codec, level)),
    )
    const video = { name: parse(file).name, codecs }
    console.log(JSON.stringify(video))
    compared.push(video)
  }
  return compared
}

async function compressClip(
  path: string,
  codec: CompressedCodec,
  level: CompressionLevel,
): Promise<CompressedClip> {
  return planVideo(path, ['compress', { codec, level }], async ({ never_larger: _, ...plan }, run) => {
    const { cpu_seconds, made } = await measureCpu(() => runPlan(plan, run, () => {}))
    const result = fileIn(run.folder, made.plan.outputs[0].file)
    const { size: bytes } = await stat(result)
    return { bytes, cpu_seconds, ...(await measureVideo(result, fileIn(run.folder, SOURCE))) }
  })
}

async function mapAll<Key extends string, Value>(
  keys: readonly Key[],
  measure: (key: Key) => Promise<Value>,
): Promise<Record<Key, Value>> {
  const entries: [Key, Value][] = []
  for (const key of keys) entries.push([key, await measure(key)])
  return Object.fromEntries(entries) as Record<Key, Value>
}
