import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { JobFailure } from '../media-backend/runtime/failure.ts'
import { type JobRunner, startJobRunner } from '../media-backend/testing/run-job.ts'
import { checkResult, colorDistance } from './measure/checks.ts'
import { jobsFor, type MeasuredJob } from './measure/jobs.ts'
import { hashPackets, type Reading, readColors, readFile } from './measure/read-file.ts'

/**
 * `npm run measure -- FOLDER [--operations trim,convert] [--jobs 6] [--skip 0]`: runs video operations on the files of a folder and
 * measures each result by ffprobe and ffmpeg alone: length, offset of audio, level, frames, colors, container.
 * A fault is printed with its file; the exit code is 1 where there is any.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string', default: '' },
    jobs: { type: 'string', default: '100' },
    skip: { type: 'string', default: '0' },
  },
})
const VIDEO =
  /\.(mp4|m4v|mov|3gp|3g2|mkv|webm|avi|ts|mts|m2ts|flv|mpg|mpeg|vob|mxf|dv|wmv|asf|ogv|ogg|h264|264)$/i
const BYTES_MAX = 40_000_000
const JOB_SECONDS_MAX = 900
/** Of grids of mean colors: what encoding changes stays well below. */
const COLOR_TOLERANCE = 6
const keys = values.operations === '' ? null : values.operations.split(',')

interface Tally {
  done: number
  refused: Map<string, string[]>
  faults: string[]
}

async function measureJob(
  path: string,
  source: Reading,
  job: MeasuredJob,
  runner: JobRunner,
): Promise<string[]> {
  const { operation_key, params } = job
  const content = readFileSync(path)
  const done = await runner.run({ operation_key, params, filename: 'clip.mp4' }, { input: content })
  const result = await readFile(done.path)
  const faults = checkResult({ source, result, expected: job.expected })
  const { encode_mode, input_kept } = done.outcome.body
  if (encode_mode === 'remux') {
    for (const stream of job.copied)
      if ((await hashPackets(path, stream)) !== (await hashPackets(done.path, stream)))
        faults.push(`its ${stream} packets are not the source's`)
  }
  if (job.is_smaller && done.content.length > content.length && input_kept !== true)
    faults.push(`it is ${(done.content.length / content.length).toFixed(2)} times as large`)
  return [...faults, ...(await compareFrames(path, source, job, done.path))]
}

async function compareFrames(
  path: string,
  source: Reading,
  job: MeasuredJob,
  result: string,
): Promise<string[]> {
  if (source.video?.is_wide || source.video?.has_alpha) return []
  const faults: string[] = []
  for (const { result_seconds, source_seconds } of job.frames) {
    const before = await readColors(path, source_seconds)
    const after = await readColors(result, result_seconds)
    if (before === null || after === null) {
      faults.push(`there is no frame at ${result_seconds.toFixed(3)} s`)
      continue
    }
    const distance = colorDistance(before, after)
    if (distance > COLOR_TOLERANCE)
      faults.push(
        `its frame at ${result_seconds.toFixed(3)} s is ${distance.toFixed(1)} away from the source's`,
      )
  }
  return faults
}

async function listVideos(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && VIDEO.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => statSync(path).size <= BYTES_MAX)
    .sort()
}

async function measureFile(path: string, name: string, runner: JobRunner, tally: Tally): Promise<void> {
  const source = await readFile(path).catch(() => null)
  if (source === null || source.video === null || source.video.times.length === 0) return
  const all = jobsFor(source).filter(({ operation_key }) => keys?.includes(operation_key) ?? true)
  for (const job of all.slice(0, Number(values.jobs))) {
    const label = `${name}: ${job.operation_key} ${JSON.stringify(job.params)}`
    try {
      const faults = await measureJob(path, source, job, runner)
      tally.done += 1
      tally.faults.push(...faults.map((fault) => `${label}: ${fault}`))
      for (const fault of faults) console.log(`FAULT ${label}: ${fault}`)
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      tally.refused.set(error.message, [...(tally.refused.get(error.message) ?? []), label])
    }
  }
}

const [folder] = positionals
if (folder === undefined) throw new Error('name a folder of videos: npm run measure -- FOLDER')
const runner = await startJobRunner({}, JOB_SECONDS_MAX)
const tally: Tally = { done: 0, refused: new Map(), faults: [] }
try {
  for (const path of (await listVideos(folder)).slice(Number(values.skip)))
    await measureFile(path, relative(folder, path), runner, tally)
} finally {
  await runner.close()
}
for (const [message, labels] of tally.refused) {
  console.log(`REFUSED ${labels.length} times: ${message}`)
  for (const label of labels) console.log(`  ${label}`)
}
console.log(`${tally.done} jobs done and measured, ${tally.faults.length} faults`)
process.exitCode = tally.faults.length === 0 ? 0 : 1
