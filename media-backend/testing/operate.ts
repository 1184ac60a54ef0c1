import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { VideoEdit } from '../../shared/ffmpeg/edit.ts'
import { probeAfter } from '../../shared/ffmpeg/render.ts'
import { findOperation } from '../../shared/operations/index.ts'
import type { Facts, MediaProbe } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { planPipeline, type Stage } from '../../shared/planning/pipeline.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import { parseEnvironment } from '../environment.ts'
import { probeVideo } from '../probe/probe.ts'
import { measureCutPackets } from '../probe/timing/cut-packets.ts'
import { measureLead } from '../probe/timing/lead.ts'
import { fileIn } from '../runtime/folder.ts'
import { factsOf, type Stages } from '../runtime/read-stages.ts'
import type { Run } from '../runtime/run.ts'
import { runPlan } from '../steps/plan.ts'

const execute = promisify(execFile)

/** One video operation: its key and the parameters as submitted. */
export type JobSpec = [key: string, params?: Record<string, unknown>]

export interface Operated {
  plan: Plan
  /** Facts measured from the input. */
  input: MediaProbe
  /** Paths of the input and of the first output. */
  source: string
  path: string
  percents: number[]
  run: Run
}

/** Runs operations that produce a video, then probes the result. */
export async function operate(
  content: Buffer,
  ...specs: [JobSpec, ...JobSpec[]]
): Promise<Operated & { output: MediaProbe }> {
  const operated = await carryOut(content, ...specs)
  return { ...operated, output: await probeVideo(operated.path, operated.run) }
}

/**
 * Runs video operations on a file as a job does, but without a queue or storage. The files exist until the test
 * ends.
 */
export async function carryOut(content: Buffer, ...specs: [JobSpec, ...JobSpec[]]): Promise<Operated> {
  const run = await makeRun()
  const source = fileIn(run.folder, SOURCE)
  await writeFile(source, content)
  const input = await probeOnce(content, source, run)
  const stages: Stages = [stageOf(specs[0]), ...specs.slice(1).map(stageOf)]
  const planned = planPipeline(stages, await factsFor(stages, input, run))
  if ('refused' in planned) throw new Error(`${planned.refused.field}: ${planned.refused.message.en}`)
  const percents: number[] = []
  const { plan } = await runPlan(planned, run, (percent) => percents.push(percent))
  const path = fileIn(run.folder, plan.outputs[0].file)
  return { plan, input, source, path, percents, run }
}

async function factsFor(stages: Stages, probe: MediaProbe, run: Run): Promise<Facts> {
  const copies = factsOf(stages).includes('lead_seconds')
  const lead = copies ? { lead_seconds: await measureLead(probe, stages[0].params, run) } : {}
  const smart = factsOf(stages).includes('cut_packets')
  const cut = smart ? { cut_packets: await measureCutPackets(probe, stages[0].params, run) } : {}
  return { probe, assets: {}, ...lead, ...cut } as Facts
}

const probes = new Map<string, Promise<MediaProbe>>()

/** Probes a clip once for all tests that use the same bytes. */
function probeOnce(content: Buffer, path: string, run: Run): Promise<MediaProbe> {
  const key = createHash('sha256').update(content).digest('hex')
  const probe = probes.get(key) ?? probeVideo(path, run)
  probes.set(key, probe)
  return probe
}

export async function makeRun(): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-operate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  return { folder, environment, signal: new AbortController().signal }
}

function stageOf([key, params = {}]: JobSpec): Stage {
  const operation = findOperation('video', key)
  if (operation === undefined) throw new Error(`there is no video/${key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(valid.refused.message.en)
  return { operation, params: valid.params }
}

/** Returns the facts that the edits declare about the file they produce. */
export function reportedAfter(input: MediaProbe, specs: readonly JobSpec[]): MediaProbe {
  const edits: VideoEdit[] = []
  for (const { operation, params } of specs.map(stageOf)) {
    const facts = { probe: edits.at(-1)?.after ?? input, assets: {} } as Facts
    const edit = operation.edit?.({ params, facts })
    if (edit === undefined || 'refused' in edit) throw new Error(`${operation.key} is no edit`)
    edits.push(edit as VideoEdit)
  }
  return probeAfter(edits, input)
}

/** Returns the raw output of ffprobe. */
export async function inspect(path: string): Promise<Inspected> {
  const shown = ['-show_format', '-show_streams', '-show_chapters', '-of', 'json']
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...shown, path])
  return JSON.parse(stdout) as Inspected
}

export interface Inspected {
  format: { format_name: string; duration: string; tags?: Record<string, string> }
  streams: (Record<string, unknown> & { codec_type: string; tags?: Record<string, string> })[]
  chapters: unknown[]
}

/** Returns the first video stream of a file, as described by ffprobe. */
export async function videoStreamOf(path: string) {
  const { streams } = await inspect(path)
  const found = streams.find(({ codec_type }) => codec_type === 'video')
  if (found === undefined) throw new Error('no video stream')
  return found
}

export type Packets = Record<'v' | 'a', string[]>

/**
 * Returns hashes of all video and audio packets in order. The hashes of two files are equal only if no packet
 * differs.
 * @param unpacked bitstream filter for the audio, for containers that pack it differently.
 */
export async function readPackets(path: string, unpacked?: string): Promise<Packets> {
  const filter = unpacked === undefined ? [] : ['-bsf:a', unpacked]
  const copy = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', ...filter, '-f', 'framemd5', '-']
  const { stdout } = await execute('ffmpeg', ['-v', 'error', '-i', path, ...copy], { maxBuffer: 2 ** 24 })
  const videos = [...stdout.matchAll(/^#media_type (\d+): video/gm)].map(([, stream]) => stream)
  const packets: Packets = { v: [], a: [] }
  for (const line of stdout.split('\n').filter((line) => /^\d/.test(line))) {
    const [stream = '', , , , , hash = ''] = line.split(',').map((field) => field.trim())
    packets[videos.includes(stream) ? 'v' : 'a'].push(hash)
  }
  return packets
}

/** Returns the packet hashes for one stream type, which must exist. */
export async function packetHashes(path: string, stream: 'v' | 'a', unpacked?: string): Promise<string[]> {
  const hashes = (await readPackets(path, unpacked))[stream]
  if (hashes.length === 0) throw new Error(`there is no packet of ${stream}`)
  return hashes
}

/** Returns the time and mean brightness of every frame. */
export async function frameLevels(path: string): Promise<{ seconds: number; level: number }[]> {
  const print = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-vf', print, '-fps_mode', 'passthrough']
  const { stdout } = await execute('ffmpeg', [...args, '-f', 'null', '/dev/null'])
  return [...stdout.matchAll(/pts_time:(\S+)\s+lavfi\.signalstats\.YAVG=(\S+)/g)].map(
    ([, seconds, level]) => ({
      seconds: Number(seconds),
      level: Number(level),
    }),
  )
}
