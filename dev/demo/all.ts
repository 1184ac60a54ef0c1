import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Media, MediaResult, Submission } from '../../client/node/index.ts'
import { contentTypeOf, extensionOf } from '../../shared/planning/formats.ts'
import { connect, signIn } from './connect.ts'
import { describeMedia, type Media as Figure } from './describe-media.ts'
import { runJobs } from './jobs.ts'
import { makeSamples, type Sample } from './samples.ts'
import { contactSheet, type Outcome, STATES } from './sheet.ts'
import { serveSite } from './site.ts'
import { listDisabledOperations, skipReasonOf, submissionOf } from './submissions.ts'
import type { Task } from './task.ts'
import { TASKS } from './tasks.ts'
import { printTable, writeLine } from './terminal.ts'

export const OUTCOMES_FILE = 'outcomes.json'

interface Entry {
  index: number
  task: Task
  submission: Submission
}

/**
 * Runs every operation on a small sample and writes a contact sheet to `folder`, for `npm run demo -- --all`. It
 * runs as the local administrator, who has enough credits.
 * @returns whether every enabled operation succeeded
 */
export async function runAllOperations(folder: string): Promise<boolean> {
  const local = await connect()
  const media = await signIn(local.api_url, local.admin)
  mkdirSync(join(folder, 'results'), { recursive: true })
  const samples = await makeSamples(join(folder, 'samples'))
  const urls = await uploadSamples(media, samples)
  const site = await serveSite(
    requireSample(samples, samples.has('talk') ? 'talk' : 'clip'),
    requireSample(samples, 'photo'),
  )
  try {
    const addressOf = (name: string) => (name === 'link' ? site.page_url : (urls.get(name) ?? ''))
    const outcomes = await runTasks(media, { folder, samples, addressOf })
    const sheet = join(folder, 'index.html')
    writeFileSync(sheet, contactSheet(outcomes, new Date().toISOString()))
    // `npm run docs -- --media` makes the previews of the documentation from these outcomes.
    writeFileSync(join(folder, OUTCOMES_FILE), JSON.stringify(outcomes))
    printOutcomes(outcomes)
    console.log(`\nThe contact sheet is in ${relative(process.cwd(), sheet)}`)
    return outcomes.every(({ state }) => state !== 'failed')
  } finally {
    site.close()
  }
}

async function uploadSamples(media: Media, samples: Map<Sample, string>): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  for (const [sample, file] of samples) {
    const { url } = await media.uploads.file(file, { contentType: contentTypeOf(file) })
    urls.set(sample, url)
  }
  return urls
}

interface TaskContext {
  folder: string
  samples: Map<Sample, string>
  addressOf(sample: string): string
}

async function runTasks(media: Media, context: TaskContext): Promise<Outcome[]> {
  const { folder, samples, addressOf } = context
  const disabled = await listDisabledOperations(media)
  const outcomes = await Promise.all(
    TASKS.map(async (task): Promise<Outcome> => {
      const file = task.sample === 'link' ? undefined : samples.get(task.sample)
      const before =
        file === undefined ? null : await describeMedia(folder, file, statSync(file).size, task.shows)
      const reason = skipReasonOf(task, samples, disabled)
      return { task, state: 'off', reason, job: null, before, after: null }
    }),
  )
  const entries = outcomes.flatMap(({ task, reason }, index): Entry[] =>
    reason === null ? [{ index, task, submission: submissionOf(task, addressOf) }] : [],
  )
  const settle = (index: number, settled: Partial<Outcome>) => {
    const outcome = outcomes[index]
    if (outcome !== undefined) outcomes[index] = { ...outcome, ...settled }
  }
  await runJobs(media, entries, async ({ index, task }, { job, result, reason }) => {
    const name = `${task.service_slug}/${task.operation_key}`
    if (job === null) return settle(index, describeRefusal(task, reason ?? ''))
    const after = result === null ? null : await saveResult(folder, index, task, result)
    settle(index, { job, after, state: after === null ? 'failed' : 'done', reason: reason ?? job.status })
    writeLine(`${name} ${job.status}${reason === null ? '' : `: ${reason}`}`)
  })
  return outcomes
}

/** The server accepts links to this machine only if it was started for tests. */
function describeRefusal({ sample }: Task, reason: string): Pick<Outcome, 'state' | 'reason'> {
  if (sample !== 'link' || !/\bpublic\b/.test(reason)) return { state: 'failed', reason }
  return {
    state: 'local',
    reason: `The server refuses links to this machine, which serves the demo page: ${reason}`,
  }
}

async function saveResult(
  folder: string,
  index: number,
  { service_slug, operation_key, shows }: Task,
  result: MediaResult,
): Promise<Figure> {
  const extension = extensionOf(result.filename)
  const name = `${String(index + 1).padStart(2, '0')}-${service_slug}-${operation_key}.${extension}`
  const file = join(folder, 'results', name)
  await result.save(file)
  return describeMedia(folder, file, result.size_bytes, shows)
}

function requireSample(samples: Map<Sample, string>, sample: Sample): string {
  const file = samples.get(sample)
  if (file === undefined) throw new Error(`The sample ${sample} was not created.`)
  return file
}

function printOutcomes(outcomes: readonly Outcome[]): void {
  const rows = outcomes.map(({ task, state, job }) => [
    `${task.service_slug}/${task.operation_key}`,
    STATES[state],
    job?.processing_seconds == null ? '' : `${job.processing_seconds.toFixed(2)} s`,
    String(job?.final_cost ?? ''),
  ])
  printTable(['operation', 'state', 'processing', 'credits'], rows)
}
