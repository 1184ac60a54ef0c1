import { setTimeout as delay } from 'node:timers/promises'
import { type Job, ResponseError } from '../client.ts'
import { runScheduled } from '../system/cron.ts'
import { breakPart, waitUntilReady } from './break.ts'
import type { FaultContext } from './context.ts'
import { type FaultName, planRound, type Round } from './plan.ts'

export interface RoundsTally {
  rounds: number
  /** Jobs whose submission was answered with 201. */
  accepted: number
  /** Submissions that failed because a part was down. Their jobs run too if they were committed. */
  unanswered: number
  /** Rounds by fault; a fault that found nothing to break does not count. */
  faults: Map<FaultName, number>
  violations: string[]
}

const END_MS_MAX = 240_000

/** Runs rounds from a seed and checks after each one that all accepted jobs have ended and are charged once. */
export async function runRounds(
  context: FaultContext,
  {
    seed,
    from,
    count,
    onRound,
  }: { seed: number; from: number; count: number; onRound(tally: RoundsTally): void },
  signal: AbortSignal,
): Promise<RoundsTally> {
  const tally: RoundsTally = { rounds: 0, accepted: 0, unanswered: 0, faults: new Map(), violations: [] }
  for (let number = from; number < from + count && !signal.aborted; number++) {
    const round = planRound(seed, number)
    await runRound(context, round, tally)
    tally.rounds += 1
    onRound(tally)
  }
  return tally
}

async function runRound(context: FaultContext, round: Round, tally: RoundsTally): Promise<void> {
  const { client, submissions } = context
  const submitting = round.jobs.map((kind) => client.submit(submissions[kind]))
  const settled = Promise.allSettled(submitting)
  await delay(round.delay_ms)
  const isBroken = await breakPart(context, round.fault)
  if (isBroken) tally.faults.set(round.fault, (tally.faults.get(round.fault) ?? 0) + 1)
  const answers = await settled
  await waitUntilReady(context)
  const accepted = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
  tally.accepted += accepted.length
  tally.unanswered += answers.length - accepted.length
  const note = (text: string) => tally.violations.push(`round ${round.number} (${round.fault}): ${text}`)
  for (const answer of answers) {
    if (answer.status === 'rejected' && !isExpected(answer.reason)) note(String(answer.reason))
  }
  await endAllJobs(context).catch((error) => note(String(error)))
  await checkAll(context, accepted, note)
}

/** A part that is down makes a request fail or answer 503; a refusal would be a defect. */
function isExpected(reason: unknown): boolean {
  return !(reason instanceof ResponseError) || reason.status >= 500
}

/** Runs the scheduled tasks, with everything due, until no job is open. */
async function endAllJobs(context: FaultContext): Promise<void> {
  const { db, system } = context
  const until = Date.now() + END_MS_MAX
  for (;;) {
    await db.$client.execute('UPDATE outbox SET due_at = 0')
    await runScheduled(system.ports).catch(() => undefined)
    const open = await countRows(context, "jobs WHERE status IN ('queued', 'processing')")
    if (open === 0) return
    if (Date.now() > until) throw new Error(`${open} jobs are stuck`)
    await delay(1000)
  }
}

/** Checks that nothing is lost and nothing is charged twice. */
async function checkAll(
  context: FaultContext,
  accepted: string[],
  note: (text: string) => void,
): Promise<void> {
  const { client } = context
  const jobs = await Promise.all(accepted.map((id) => client.job(id).catch(() => null)))
  jobs.forEach((job, index) => {
    if (job === null) note(`job ${accepted[index]} is lost`)
    else checkJob(job, note)
  })
  const { ok } = await client.verifyLedger()
  if (!ok) note('the ledger is inconsistent')
  const [row] = (await context.db.$client.execute('SELECT sum(final_cost) AS cost FROM jobs')).rows
  const expected = context.credits - Number(row?.cost ?? 0)
  const balance = await client.balance()
  if (balance !== expected) note(`the balance is ${balance} instead of ${expected}`)
  const charges = await countRows(
    context,
    '(SELECT job_id FROM ledger WHERE job_id IS NOT NULL GROUP BY job_id HAVING count(*) > 1 AND sum(amount) <> 0)',
  )
  if (charges > 0) note(`${charges} jobs are charged more than once`)
}

function checkJob({ id, status, error, final_cost }: Job, note: (text: string) => void): void {
  if (status !== 'done') note(`job ${id} is ${status}: ${error}`)
  else if (final_cost !== 2) note(`job ${id} cost ${final_cost}`)
}

async function countRows({ db }: FaultContext, source: string): Promise<number> {
  const { rows } = await db.$client.execute(`SELECT count(*) AS total FROM ${source}`)
  return Number(rows[0]?.total)
}
