import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Means over all frames, and the level below which a twentieth of the frames are. */
export interface MeasuredVideo {
  similarity_mean: number
  similarity_low: number
  /** Absent without a program that measures VMAF. */
  vmaf_mean?: number
  vmaf_low?: number
}

/** Share of the frames that are worse than the low values. */
const LOW = 0.05
/** VMAF is slow, so it is measured on every sixth frame. */
const VMAF_STEP = 6

/**
 * Compares a result with its source, frame by frame, at the size of the result.
 *
 * The environment variable VMAF_FFMPEG names an ffmpeg with the filter libvmaf, and VMAF_MODEL the option of the filter
 * that chooses its model, which older versions require.
 */
export async function measureVideo(path: string, source: string): Promise<MeasuredVideo> {
  const size = await readSize(path)
  const graph = [
    `[1:v:0]settb=AVTB,setpts=N*40000,scale=${size}:out_range=tv,format=yuv420p[source]`,
    '[0:v:0]settb=AVTB,setpts=N*40000,format=yuv420p[result]',
  ].join(';')
  const inputs = inputsOf(path, source)
  const { stdout } = await execute(
    'ffmpeg',
    [...inputs, `${graph};[result][source]ssim=stats_file=-`, '-f', 'null', '-'],
    { maxBuffer: 2 ** 26 },
  )
  const similarities = [...stdout.matchAll(/^n:\d+ Y:(\S+)/gm)].map(([, value]) => Number(value))
  const vmaf = await measureVmaf(path, source, graph)
  return {
    similarity_mean: mean(similarities),
    similarity_low: low(similarities),
    ...(vmaf !== null && { vmaf_mean: mean(vmaf), vmaf_low: low(vmaf) }),
  }
}

async function measureVmaf(path: string, source: string, graph: string): Promise<number[] | null> {
  const { VMAF_FFMPEG, VMAF_MODEL } = process.env
  if (VMAF_FFMPEG === undefined) return null
  const folder = await mkdtemp(join(tmpdir(), 'vmaf-'))
  const log = join(folder, 'log.json')
  const options = [VMAF_MODEL ?? [], 'log_fmt=json', `log_path=${log}`, `n_subsample=${VMAF_STEP}`].flat()
  const filter = `${graph};[result][source]libvmaf=${options.join(':')}`
  // That program may be too old to decode the codec of the result.
  const decoded = join(folder, 'decoded.mkv')
  const lossless = ['-fps_mode', 'passthrough', '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0']
  try {
    await execute('ffmpeg', [...QUIET, '-i', path, '-an', ...lossless, decoded])
    await execute(VMAF_FFMPEG, [...inputsOf(decoded, source), filter, '-f', 'null', '-'], {
      maxBuffer: 2 ** 26,
    })
    const { frames } = JSON.parse(await readFile(log, 'utf8')) as { frames: { metrics: { vmaf: number } }[] }
    return frames.map(({ metrics }) => metrics.vmaf)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const QUIET = ['-nostdin', '-v', 'error']

function inputsOf(path: string, source: string): string[] {
  return [...QUIET, '-i', path, '-i', source, '-lavfi']
}

async function readSize(path: string): Promise<string> {
  const shown = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0:s=x']
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...shown, path])
  return stdout.trim().replace('x', ':')
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function low(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(LOW * values.length)] ?? 0
}
