import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { type Job, MediaError, signWebhook } from '../node/index.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { openSession, type Session } from './session.ts'

const POLL_MS = 2000
const LISTED = 100
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
  const ended = new Set((await listEnded(session)).map(({ id }) => id))
  session.note(`Forwarding to ${forward}, signed with ${signing}. Press Ctrl-C to stop.`)
  while (!session.signal.aborted) {
    for (const job of (await listEnded(session)).reverse()) {
      if (ended.has(job.id)) continue
      ended.add(job.id)
      await deliver(session, forward, signing, job)
    }
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

async function listEnded({ media, signal }: Session): Promise<Job[]> {
  const jobs = await media.jobs.list({ limit: LISTED, mine: true, signal })
  return jobs.filter(({ status }) => status !== 'queued' && status !== 'processing')
}

/** Posts the event as the service would, and prints the outcome. */
async function deliver(session: Session, url: string, secret: string, job: Job): Promise<void> {
  const type = `job.${job.status}`
  const body = JSON.stringify({ type, timestamp: job.finished_at, data: job })
  for (let attempt = 1; ; attempt++) {
    const signed = await signWebhook(body, { id: `msg_${job.id}`, secret })
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
