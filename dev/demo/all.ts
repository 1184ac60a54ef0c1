import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { contentTypeOf, extensionOf } from '../../shared/planning/formats.ts'
import type { Client, Job, Submission } from '../client.ts'
import { connect } from './connect.ts'
import { describeMedia, type Media } from './describe-media.ts'
import { retryWhenRateLimited, runJobs } from './jobs.ts'
import { makeSamples, type Sample } from './samples.ts'
import { contactSheet, type Outcome, STATES } from './sheet.ts'
import { serveSite } from './site.ts'
import { listDisabledOperations, skipReasonOf, submissionOf } from './submissions.ts'
import { TASKS, type Task } from './tasks.ts'
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
  const { client, local } = await connect()
  await client.login(local.admin)
  mkdirSync(join(folder, 'results'), { recursive: true })
  const samples = await makeSamples(join(folder, 'samples'))
  const urls = await uploadSamples(client, samples)
  const site = await serveSite(
    requireSample(samples, samples.has('talk') ? 'talk' : 'clip'),
    requireSample(samples, 'photo'),
  )
  try {
    const addressOf = (name: string) => (name === 'link' ? site.page_url : (urls.get(name) ?? ''))
    const outcomes = await runTasks(client, { folder, samples, addressOf })
    const sheet = join(folder, 'index.html')
    writeFileSync(sheet, contactSheet(outcomes, new Date().toISOString()))
    // `npm run docs -- --media` makes the previews of the documentation from these.
    writeFileSync(join(folder, OUTCOMES_FILE), JSON.stringify(outcomes))
    printOutcomes(outcomes)
    console.log(`\nThe contact sheet is in ${relative(process.cwd(), sheet)}`)
    return outcomes.every(({ state }) => state !== 'failed')
  } finally {
    site.close()
  }
}

async function uploadSamples(client: Client, samples: Map<Sample, string>): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  for (const [sample, file] of samples) {
    urls.set(sample, await retryWhenRateLimited(() => client.upload(file, contentTypeOf(file))))
  }
  return urls
}

interface TaskContext {
  folder: string
  samples: Map<Sample, string>
  addressOf(sample: string): string
}

async function runTasks(client: Client, context: TaskContext): Promise<Outcome[]> {
  const { folder, samples, addressOf } = context
  const disabled = await listDisabledOperations(client)
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
  await runJobs(
    client,
    entries,
    async ({ index, task }, job) => {
      const after = job.result === null ? null : await saveResult(client, folder, index, task, job.result)
      settle(index, {
        job,
        after,
        state: after === null ? 'failed' : 'done',
        reason: job.error ?? job.status,
      })
      writeLine(
        `${task.service_slug}/${task.operation_key} ${job.status}${job.error === null ? '' : `: ${job.error}`}`,
      )
    },
    ({ index, task }, reason) => settle(index, describeRefusal(task, reason)),
  )
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
  client: Client,
  folder: string,
  index: number,
  { service_slug, operation_key, shows }: Task,
  { url, filename, size_bytes }: NonNullable<Job['result']>,
): Promise<Media> {
  const name = `${String(index + 1).padStart(2, '0')}-${service_slug}-${operation_key}.${extensionOf(filename)}`
  const file = join(folder, 'results', name)
  const response = await retryWhenRateLimited(() => client.download(url))
  await writeFile(file, new Uint8Array(await response.arrayBuffer()))
  return describeMedia(folder, file, size_bytes, shows)
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
