import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { JobFailure } from '../media-backend/runtime/failure.ts'
import { type JobDone, type JobRunner, startJobRunner } from '../media-backend/testing/run-job.ts'
import { checkResult } from './measure/checks.ts'
import { compareAudio } from './measure/compare-audio.ts'
import { compareFrames } from './measure/compare-frames.ts'
import { type CopiedPart, jobsFor, type MeasuredJob } from './measure/jobs.ts'
import { type Reading, readFile } from './measure/read-file.ts'
import { hashAudio, hashFrames } from './measure/read-frames.ts'
import { runProgram } from './measure/run-program.ts'

/**
 * `npm run measure -- FOLDER [--operations trim,convert] [--jobs 6] [--skip 0] [--files 100]`: runs video
 * operations on the files in a folder and measures each result with ffprobe and ffmpeg only: length, audio sync,
 * level, frames, colors, container, and tags. `--jobs` limits the jobs per file. Each file continues where the
 * previous one stopped in the job list, which spreads all jobs across the files. Prints each fault with its file,
 * and exits with code 1 if there are any.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string', default: '' },
    jobs: { type: 'string', default: '100' },
    skip: { type: 'string', default: '0' },
    files: { type: 'string', default: '10000' },
  },
})
const VIDEO =
  /\.(mp4|m4v|mov|3gp|3g2|mkv|webm|avi|ts|mts|m2ts|flv|mpg|mpeg|vob|mxf|dv|wmv|asf|ogv|ogg|h264|264)$/i
const BYTES_MAX = 12_000_000
const JOB_SECONDS_MAX = 900
/** Maximum growth of a copy due to the index of a different container. */
const INDEX_GROWTH = { factor: 1.03, bytes: 20_000 }
const keys = values.operations === '' ? null : values.operations.split(',')

interface Tally {
  done: Map<string, number>
  refused: Map<string, string[]>
  faults: string[]
  /** Number of jobs selected so far. */
  selected: number
}

async function measureJob(
  path: string,
  source: Reading,
  job: MeasuredJob,
  tools: { runner: JobRunner; tone: Buffer },
): Promise<string[]> {
  const { operation_key, params, assets = [] } = job
  const content = readFileSync(path)
  const files = Object.fromEntries(assets.map((name) => [name, tools.tone]))
  const done = await tools.runner.run(
    { operation_key, params, filename: 'clip.mp4' },
    { input: content, ...files },
  )
  if (operation_key === 'transcribe') return done.content.length > 0 ? [] : ['result is empty']
  const result = await readFile(done.path)
  const { encode_mode, input_kept, removed_seconds } = done.outcome.body
  const is_copied = encode_mode === 'remux' || encode_mode === 'video_copy' || input_kept === true
  const expected = {
    ...job.expected,
    ...(is_copied && job.if_copied ? includeAudioLead(job.if_copied, result) : {}),
    ...(typeof removed_seconds === 'number' && source.video !== null
      ? { seconds: source.video.end_seconds - removed_seconds }
      : {}),
  }
  return [
    ...checkResult({ source, result, expected, is_copied }),
    ...(await checkCopy(source, result, job, done)),
    ...checkSize(job, content, done, is_copied),
    ...(await compareFrames(source, result, expected, is_copied)),
    ...(await compareAudio(source, result, expected)),
  ]
}

/** Adjusts for frames stored out of order, where the audio of a copied part starts slightly before its keyframe. */
function includeAudioLead({ start_seconds, seconds }: CopiedPart, { video }: Reading): CopiedPart {
  const lead_seconds = video?.times[0] ?? 0
  return { start_seconds: start_seconds - lead_seconds, seconds: seconds + lead_seconds }
}

/** Checks that a full copy decodes to the same frames and has the same audio packets. */
async function checkCopy(
  source: Reading,
  result: Reading,
  { operation_key }: MeasuredJob,
  { outcome }: JobDone,
): Promise<string[]> {
  const { encode_mode } = outcome.body
  if (operation_key === 'trim' || (encode_mode !== 'remux' && encode_mode !== 'video_copy')) return []
  // A truncated file's last frame is damaged, and decoders conceal the missing part in different ways.
  const same_frames =
    outcome.body.missing_seconds !== undefined ||
    source.video === null ||
    result.video === null ||
    hasSameFrames(await hashFrames(source), await hashFrames(result))
  const same_audio =
    encode_mode !== 'remux' ||
    source.audio === null ||
    result.audio === null ||
    (await hashAudio(source)) === (await hashAudio(result))
  return [
    ...(same_frames ? [] : ['frames are not bit-identical to the source']),
    ...(same_audio ? [] : ['audio packets differ from the source']),
  ]
}

/**
 * Compares all frames but allows one extra frame at the end: an edit list can hide a source's last frame, which
 * then appears in the copy.
 */
function hasSameFrames(one: readonly string[], other: readonly string[]): boolean {
  const count = Math.min(one.length, other.length)
  const extra = Math.max(one.length, other.length) - count
  return extra <= 1 && one.slice(0, count).every((hash, at) => hash === other[at])
}

function checkSize(
  { is_smaller, operation_key }: MeasuredJob,
  content: Buffer,
  done: JobDone,
  is_copied: boolean,
): string[] {
  const { encode_mode, input_kept } = done.outcome.body
  const growth = `size is ${(done.content.length / content.length).toFixed(2)} times that of the source`
  if (is_smaller && input_kept !== true) return done.content.length > content.length ? [growth] : []
  const limit = content.length * INDEX_GROWTH.factor + INDEX_GROWTH.bytes
  const is_remux = is_copied && encode_mode !== 'video_copy' && operation_key !== 'add_audio'
  return is_remux && done.content.length > limit ? [growth] : []
}

async function listVideos(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && VIDEO.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => statSync(path).size <= BYTES_MAX)
    .sort()
}

async function measureFile(
  path: string,
  name: string,
  tools: { runner: JobRunner; tone: Buffer },
  tally: Tally,
): Promise<void> {
  const source = await readFile(path).catch(() => null)
  if (source === null || source.video === null || source.video.times.length === 0) return
  const all = jobsFor(source).filter(({ operation_key }) => keys?.includes(operation_key) ?? true)
  const count = Math.min(all.length, Number(values.jobs))
  const next = tally.selected % all.length
  tally.selected += count
  for (const job of [...all, ...all].slice(next, next + count)) {
    const label = `${name}: ${job.operation_key} ${JSON.stringify(job.params)}`
    try {
      const faults = await measureJob(path, source, job, tools)
      tally.done.set(job.operation_key, (tally.done.get(job.operation_key) ?? 0) + 1)
      tally.faults.push(...faults.map((fault) => `${label}: ${fault}`))
      for (const fault of faults) console.log(`FAULT ${label}: ${fault}`)
      if (faults.length === 0) console.log(`OK ${label}`)
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      console.log(`refused ${label}`)
      tally.refused.set(error.message, [...(tally.refused.get(error.message) ?? []), label])
    }
  }
}

/** Generates the audio that add_audio adds: a quiet three-second tone. */
async function makeTone(): Promise<Buffer> {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3,volume=0.1', '-f', 'wav', '-']
  return (await runProgram('ffmpeg', ['-v', 'error', ...tone])).stdout
}

const [folder] = positionals
if (folder === undefined) throw new Error('No folder given. Run: npm run measure -- FOLDER')
const runner = await startJobRunner({}, JOB_SECONDS_MAX)
const tally: Tally = { done: new Map(), refused: new Map(), faults: [], selected: 0 }
try {
  const tone = await makeTone()
  const skip = Number(values.skip)
  for (const path of (await listVideos(folder)).slice(skip, skip + Number(values.files)))
    await measureFile(path, relative(folder, path), { runner, tone }, tally)
} finally {
  await runner.close()
}
for (const [message, labels] of tally.refused) {
  console.log(`REFUSED ${labels.length} times: ${message}`)
  for (const label of labels) console.log(`  ${label}`)
}
for (const [operation_key, count] of tally.done) console.log(`${operation_key}: ${count} jobs`)
const total = [...tally.done.values()].reduce((sum, count) => sum + count, 0)
console.log(`${total} jobs done and measured, ${tally.faults.length} faults`)
process.exitCode = tally.faults.length === 0 ? 0 : 1
