import { setTimeout as delay } from 'node:timers/promises'
import { ResponseError } from '../client.ts'
import { breakPart, waitUntilReady } from './break.ts'
import { checkAll, endAllJobs } from './checks.ts'
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
