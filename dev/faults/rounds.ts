import { setTimeout as delay } from 'node:timers/promises'
import { ResponseError } from '../client.ts'
import { breakPart, waitUntilReady } from './break.ts'
import { checkAll, endAllJobs, endJobs } from './checks.ts'
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

/** Rounds after which the jobs that have ended are checked. */
const WAVE_ROUNDS = 25
/** Most jobs end by then. One that Redis lost while it ran is dispatched again after two minutes of silence. */
const WAVE_MS_MAX = 3000

/**
 * Runs rounds from a seed. Jobs that recover from a fault run on while later faults strike. Checks each accepted job once it
 * has ended: in the end, all must be done and charged once. Until then, none may be silent for minutes.
 */
export async function runRounds(
  context: FaultContext,
  {
    seed,
    from,
    count,
    onWave,
  }: { seed: number; from: number; count: number; onWave(tally: RoundsTally): void },
  signal: AbortSignal,
): Promise<RoundsTally> {
  const tally: RoundsTally = { rounds: 0, accepted: 0, unanswered: 0, faults: new Map(), violations: [] }
  const unchecked = new Set<string>()
  const until = from + count
  for (let first = from; first < until && !signal.aborted; first += WAVE_ROUNDS) {
    const end = Math.min(first + WAVE_ROUNDS, until)
    for (let number = first; number < end && !signal.aborted; number++) {
      for (const id of await runRound(context, planRound(seed, number), tally)) unchecked.add(id)
      tally.rounds += 1
    }
    const note = (text: string) => tally.violations.push(`by round ${end - 1}: ${text}`)
    const open = await endJobs(context, WAVE_MS_MAX)
    for (const { id } of open.filter(({ is_stuck }) => is_stuck)) note(`job ${id} is stuck`)
    const ended = [...unchecked].filter((id) => !open.some((job) => job.id === id))
    await checkAll(context, ended, note)
    for (const id of ended) unchecked.delete(id)
    onWave(tally)
  }
  const note = (text: string) => tally.violations.push(`at the end: ${text}`)
  await endAllJobs(context).catch((error) => note(String(error)))
  await checkAll(context, [...unchecked], note)
  return tally
}

/** Submits the jobs of a round and breaks a part. @returns the ids of the accepted jobs */
async function runRound(context: FaultContext, round: Round, tally: RoundsTally): Promise<string[]> {
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
  for (const answer of answers) {
    if (answer.status === 'rejected' && !isExpected(answer.reason))
      tally.violations.push(`round ${round.number} (${round.fault}): ${answer.reason}`)
  }
  return accepted
}

/** A part that is down makes a request fail or answer 503; a refusal would be a defect. */
function isExpected(reason: unknown): boolean {
  return !(reason instanceof ResponseError) || reason.status >= 500
}
