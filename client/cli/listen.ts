import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { type Job, MediaError, signWebhook } from '../node/index.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { openSession, type Session } from './session.ts'

const POLL_MS = 2000
/** Largest page of the list of jobs. */
const LISTED_MAX = 200
/** Covers clocks and commits of concurrent submissions, which do not appear in the order of their times. */
const OVERLAP_MS = 60_000
const OPEN: Job['status'][] = ['queued', 'processing']
const ATTEMPTS = 3
const DELIVERY_MS_MAX = 15_000

/** Creates the `listen` command. */
export function listenCommand(): Command {
  const listen = new Command('listen')
    .description('Send the webhook events of your jobs to a local program, without a public URL')
    .requiredOption('--forward <url>', 'URL that receives the events')
    .option('--secret <secret>', 'Secret that signs the events. Default: that of the account, or a new one')
  return listen.action(() => listenToJobs(listen))
}

/** Follows the newest jobs and forwards an event when each one ends, until Ctrl-C. */
async function listenToJobs(command: Command): Promise<void> {
  const { forward, secret } = command.opts<{ forward: string; secret?: string }>()
  if (!/^https?:/.test(forward) || !URL.canParse(forward)) {
    throw new UsageError(`${forward} is not an http or https URL.`)
  }
  const session = await openSession(command)
  const signing = secret ?? (await findSecret(session))
  const findEnded = await followJobs(session)
  session.note(`Forwarding to ${forward}, signed with ${signing}. Press Ctrl-C to stop.`)
  while (!session.signal.aborted) {
    for (const job of await findEnded()) await deliver(session, forward, signing, job)
    await delay(POLL_MS, undefined, { signal: session.signal }).catch(() => undefined)
  }
  process.exitCode = EXIT.interrupted
}

/**
 * Finds the signing secret. API keys cannot read the account's secret, so their events use a secret generated for this
 * run.
 */
async function findSecret({ media, signal }: Session): Promise<string> {
  try {
    return (await media.webhooks.getSecret({ signal })).secret
  } catch (error) {
    if (!(error instanceof MediaError) || error.status !== 401) throw error
    return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
  }
}

/**
 * Starts to follow all jobs.
 * @returns a function that returns the jobs that have ended since the last call, oldest first
 */
export async function followJobs(
  { media, signal }: Pick<Session, 'media' | 'signal'>,
  limit = LISTED_MAX,
): Promise<() => Promise<Job[]>> {
  const list = (query: { status?: Job['status'][]; created_after?: string }) =>
    collect(media.jobs.list({ ...query, limit, mine: true, signal }))
  const newest = await media.jobs.list({ limit: 1, mine: true, signal })
  let followed = [...newest, ...(await list({ status: OPEN }))]
  let known = new Set<string>()
  const findEnded = async () => {
    // Older jobs had all ended before the previous call.
    const created_after = timeBefore(followed)
    const jobs = await list(created_after === undefined ? {} : { created_after })
    const ended = jobs.filter(isEnded)
    const fresh = ended.filter(({ id }) => !known.has(id)).reverse()
    known = new Set(ended.map(({ id }) => id))
    const open = jobs.filter((job) => !isEnded(job))
    if (jobs.length > 0) followed = open.length > 0 ? open : jobs.slice(0, 1)
    return fresh
  }
  await findEnded()
  return findEnded
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

function isEnded({ status }: Job): boolean {
  return !OPEN.includes(status)
}

/** Returns a time shortly before the first of the jobs was created. */
function timeBefore(jobs: readonly Job[]): string | undefined {
  const times = jobs.map(({ created_at }) => Date.parse(created_at))
  return times.length === 0 ? undefined : new Date(Math.min(...times) - OVERLAP_MS).toISOString()
}

/** Posts the event as the service would, and prints the outcome. */
async function deliver(session: Session, url: string, secret: string, job: Job): Promise<void> {
  const type = `job.${job.status}`
  const body = JSON.stringify({ type, timestamp: job.finished_at, data: job })
  for (let attempt = 1; ; attempt++) {
    const signed = await signWebhook(body, { id: `msg_${job.id}_job_${job.status}`, secret })
    const headers = { 'content-type': 'application/json', ...signed }
    const outcome = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_MS_MAX),
    }).then(
      (response) => response.status,
      (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
    )
    session.print({ type, job_id: job.id, outcome }, `${type}  ${job.id}  → ${outcome}`)
    if (typeof outcome === 'number' || attempt === ATTEMPTS || session.signal.aborted) return
    await delay(POLL_MS * attempt, undefined, { signal: session.signal }).catch(() => undefined)
  }
}
