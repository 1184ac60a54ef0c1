import { parseKeys, signRequest } from '../../shared/protocol/signature.ts'
import { type Random, randomOf } from '../requests/random.ts'
import type { FaultContext } from './context.ts'
import { makeDeliveries } from './deliveries.ts'
import { REPORTS, type ReportsTally } from './reports.ts'

const IN_FLIGHT = 8

/**
 * Sends reports about a waiting job that the fleet has not signed. All must be refused, and the job must stay as it is.
 */
export async function forgeReports(
  { system, client, submissions, account_id }: FaultContext,
  seed: number,
  count: number,
): Promise<ReportsTally> {
  const tally: ReportsTally = { sent: 0, violations: [] }
  await system.parts.fleet.stop()
  const keys = parseKeys(system.secrets.fleet_keys)
  const { id } = await client.submit(submissions.image)
  let next = 0
  const runLane = async () => {
    while (next < count) {
      const request = forge(randomOf(seed, next++), id, account_id, keys)
      const response = await fetch(`${system.api_url}/internal/callbacks`, { method: 'POST', ...request })
      await response.arrayBuffer()
      tally.sent += 1
      if (response.status !== 401) tally.violations.push(`a forged report was answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, runLane))
  const { status } = await client.job(id)
  if (status !== 'queued') tally.violations.push(`forged reports made the job ${status}`)
  await system.parts.fleet.start()
  return tally
}

const DAY_SECONDS = 86_400

/** Makes a report that an honest fleet could send, with a signature that is wrong in one way. */
function forge(random: Random, job_id: string, account_id: number, keys: readonly string[]) {
  const { id, report } = random.pick(makeDeliveries(random, job_id, account_id))
  const body = JSON.stringify(report)
  const now = new Date()
  const signed = signRequest(keys, REPORTS, { id, body, now })
  const [version = '', signature = ''] = signed['webhook-signature'].split(',')
  const without = (name: keyof typeof signed) =>
    Object.fromEntries(Object.entries(signed).filter(([key]) => key !== name))
  const ways = [
    () => signRequest([randomKey(random)], REPORTS, { id, body, now }),
    () => signRequest(keys, REPORTS, { id, body: `${body} `, now }),
    () => signRequest(keys, { ...REPORTS, to: 'fleet' }, { id, body, now }),
    () => signRequest(keys, { ...REPORTS, method: 'PUT' }, { id, body, now }),
    () => signRequest(keys, { ...REPORTS, path: '/internal/storage-access' }, { id, body, now }),
    () => signRequest(keys, REPORTS, { id, body, now: secondsFrom(now, -random.int(302, DAY_SECONDS)) }),
    () => signRequest(keys, REPORTS, { id, body, now: secondsFrom(now, random.int(302, DAY_SECONDS)) }),
    () => ({ ...signed, 'webhook-id': `${id}.other` }),
    () => ({
      ...signed,
      'webhook-timestamp': String(Number(signed['webhook-timestamp']) + random.int(1, 200)),
    }),
    () => ({
      ...signed,
      'webhook-signature': `${version},${signature.slice(0, random.int(0, signature.length - 2))}`,
    }),
    () => ({ ...signed, 'webhook-signature': signature }),
    () => ({ ...signed, 'webhook-signature': signed['webhook-sender'] }),
    () => without(random.pick(Object.keys(signed) as (keyof typeof signed)[])),
    () => ({}),
  ]
  return { headers: { 'content-type': 'application/json', ...random.pick(ways)() }, body }
}

function randomKey(random: Random): string {
  return Buffer.from(Array.from({ length: 32 }, () => random.int(0, 255))).toString('base64')
}

function secondsFrom(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}
