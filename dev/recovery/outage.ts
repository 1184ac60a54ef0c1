import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Submission } from '../client.ts'
import type { TemporarySystem } from '../system/temporary-system.ts'

const CLIENTS = 16
const DRAIN_MS_MAX = 20 * 60_000
/** The queue waits at most this long between two attempts to reach the fleet (edge/queue.ts). */
const RETRY_SECONDS_MAX = 60

export interface OutageTally {
  jobs: number
  /** From the first submission to the last end, while the fleet runs. */
  running_seconds: number
  /** From the return of the fleet to the last end. All jobs were submitted while it was down. */
  drain_seconds: number
  /** Time of the drain after the fleet ended its first job. */
  busy_seconds: number
  /** Jobs that are not done. */
  failed: number
}

/**
 * Measures how soon the fleet ends jobs that were submitted during an outage, and compares it with the same number of jobs
 * that it ends as they are submitted.
 */
export async function measureOutage(
  temporary: Pick<TemporarySystem, 'system' | 'db' | 'client'>,
  submission: Submission,
  jobs: number,
): Promise<OutageTally> {
  const { system, client } = temporary
  const began_at = performance.now()
  await submitAll(client, submission, jobs)
  await waitForEnds(temporary, 0)
  const running_seconds = secondsSince(began_at)
  const done = await count(temporary, "jobs WHERE status = 'done'")

  await system.parts.fleet.stop()
  await submitAll(client, submission, jobs)
  const open = await count(temporary, OPEN)
  await system.parts.fleet.start()
  const back_at = performance.now()
  await waitForEnds(temporary, open - 1)
  const first_at = performance.now()
  await waitForEnds(temporary, 0)
  const failed = jobs - ((await count(temporary, "jobs WHERE status = 'done'")) - done)
  return {
    jobs,
    running_seconds,
    drain_seconds: secondsSince(back_at),
    busy_seconds: secondsSince(first_at),
    failed,
  }
}

/** A backlog drains at the speed of the fleet if only the last pause of the queue comes on top. */
export function isDrained({ running_seconds, drain_seconds, failed }: OutageTally): boolean {
  return failed === 0 && drain_seconds <= running_seconds + RETRY_SECONDS_MAX
}

export function describeOutage({
  jobs,
  running_seconds,
  drain_seconds,
  busy_seconds,
  failed,
}: OutageTally): string {
  const rate = (seconds: number) => `${seconds.toFixed(1)} s (${(jobs / seconds).toFixed(1)} per second)`
  return [
    `${jobs} jobs as they are submitted: ${rate(running_seconds)}`,
    `${jobs} jobs after an outage of the fleet: ${rate(drain_seconds)}, ${rate(busy_seconds)} from the first end; ${failed} not done`,
  ].join('\n')
}

const OPEN = "jobs WHERE status IN ('queued', 'processing')"

async function submitAll(client: Client, submission: Submission, jobs: number): Promise<void> {
  let left = jobs
  const submitSome = async () => {
    while (left > 0) {
      left -= 1
      await client.submit(submission)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, submitSome))
}

/** Waits until at most this many jobs are open. */
async function waitForEnds(temporary: Pick<TemporarySystem, 'db'>, open_max: number): Promise<void> {
  const until = performance.now() + DRAIN_MS_MAX
  while ((await count(temporary, OPEN)) > open_max) {
    if (performance.now() > until) throw new Error('The jobs do not end.')
    await delay(200)
  }
}

async function count({ db }: Pick<TemporarySystem, 'db'>, source: string): Promise<number> {
  return Number((await db.$client.execute(`SELECT count(*) AS total FROM ${source}`)).rows[0]?.total)
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000
}
