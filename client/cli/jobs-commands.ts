import { Command, InvalidArgumentError, Option } from 'commander'
import { type Job, JobError, type JobEvent } from '../node/index.ts'
import { EXIT } from './exit-codes.ts'
import { openSession, type Session } from './session.ts'
import { formatTable } from './terminal.ts'

const LIST_COUNT = 20
/** Largest page of the list. */
const LISTED_MAX = 200
const STATUSES = ['queued', 'processing', 'done', 'failed', 'canceled']

/** Creates the `jobs` command. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('List, show, follow and cancel jobs')
  const list = new Command('ls')
    .alias('list')
    .description('List your jobs, newest first')
    .option('-n, --limit <number>', 'Number of jobs', parseCount, LIST_COUNT)
    .addOption(new Option('--status <status>', `Only jobs that are ${STATUSES.join(', ')}`).choices(STATUSES))
  list.action(() => listJobs(list))
  const show = new Command('show').description('Show a job').argument('<id>')
  show.action(async (id: string) => {
    const session = await openSession(show)
    const job = await session.media.jobs.get(id, { signal: session.signal })
    session.print(job, JSON.stringify(job, null, 2))
  })
  const watch = new Command('watch').description('Follow a job until it ends').argument('<id>')
  watch.action((id: string) => watchJob(watch, id))
  const cancel = new Command('cancel').description('Cancel jobs and refund their credits').argument('<id...>')
  cancel.action(async (ids: string[]) => {
    const session = await openSession(cancel)
    for (const id of ids) {
      const job = await session.media.jobs.cancel(id, { signal: session.signal })
      session.print(job, `${job.id} ${job.status}`)
    }
  })
  for (const command of [list, show, watch, cancel]) jobs.addCommand(command)
  return jobs
}

async function listJobs(command: Command): Promise<void> {
  const { limit, status } = command.opts<{ limit: number; status?: Job['status'] }>()
  const session = await openSession(command)
  const jobs: Job[] = []
  const query = { limit: Math.min(limit, LISTED_MAX), mine: true, ...(status !== undefined && { status }) }
  for await (const job of session.media.jobs.list({ ...query, signal: session.signal })) {
    jobs.push(job)
    if (jobs.length === limit) break
  }
  if (session.isJson) {
    for (const job of jobs) session.print(job, '')
    return
  }
  const rows = jobs.map((job) => [
    job.id,
    `${job.service_slug}/${job.operation_key}`,
    job.status === 'processing' ? `processing ${job.progress}%` : job.status,
    job.final_cost === null ? '' : String(job.final_cost),
    job.created_at.slice(0, 19).replace('T', ' '),
  ])
  session.print(null, formatTable([['ID', 'OPERATION', 'STATUS', 'CREDITS', 'CREATED'], ...rows]))
}

async function watchJob(command: Command, id: string): Promise<void> {
  const session = await openSession(command)
  const job = await session.media.jobs.wait(id, {
    signal: session.signal,
    onEvent: (event) => showEvent(session, id, event),
  })
  session.screen.close()
  if (!session.isJson) session.print(job, describeEnd(job))
  if (job.status !== 'done') process.exitCode = EXIT.job_failed
}

function showEvent({ screen, isJson, print }: Session, id: string, event: JobEvent): void {
  if (isJson) print(event, '')
  else if (event.type === 'progress')
    screen.set(id, { name: id, state: 'processing', fraction: event.progress / 100 })
  else screen.set(id, { name: id, state: event.status, fraction: event.status === 'done' ? 1 : 0 })
}

function describeEnd(job: Job): string {
  if (job.status !== 'done') return `${job.id} ${job.status}: ${new JobError(job).message}`
  return `${job.id} done\n${job.result?.url ?? ''}`
}

export function parseCount(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}
