import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '../client.ts'
import { randomOf } from '../requests/random.ts'
import { type CheckedSystem, checkAll, countRows, endAllJobs } from './checks.ts'
import type { Break } from './line.ts'
import { LINES, type LineName, type Lines } from './lines.ts'

export interface CutsTally {
  cuts: number
  /** Cuts by place, such as `after commit`. */
  places: Map<string, number>
  violations: string[]
}

interface Cut {
  line: LineName
  where: Break
}

/** All places, in turn. */
export const CUTS: readonly Cut[] = LINES.flatMap((line) => [
  { line, where: 'before' },
  { line, where: 'after' },
])

/** Plans where the connection breaks for a job. Every eight jobs cover all places, in an order of the seed. */
function planCut(seed: number, number: number): Cut {
  const round = Math.floor(number / CUTS.length)
  const from = randomOf(seed, round).int(0, CUTS.length - 1)
  return CUTS[(from + number) % CUTS.length] as Cut
}

/** Jobs that are submitted concurrently. */
const WAVE_JOBS = 25
const SUBMIT_MS_MAX = 60_000

/**
 * Submits jobs, each of which loses one connection on its way. Clients repeat a request without an answer under its
 * idempotency key. Afterwards there must be one job for each key, done and charged once.
 */
export async function runCuts(
  system: CheckedSystem & { folder: string; image: string },
  lines: Lines,
  { seed, count }: { seed: number; count: number },
  signal: AbortSignal,
): Promise<CutsTally> {
  const tally: CutsTally = { cuts: 0, places: new Map(), violations: [] }
  const note = (text: string) => tally.violations.push(text)
  for (let from = 0; from < count && !signal.aborted; from += WAVE_JOBS) {
    const numbers = Array.from({ length: Math.min(WAVE_JOBS, count - from) }, (_, index) => from + index)
    const ids = await Promise.all(numbers.map((number) => cutOne(system, lines, seed, number)))
    await endAllJobs(system)
    await checkAll(system, ids, note)
    for (const number of numbers) {
      const { line, where } = planCut(seed, number)
      const place = `${where} ${line}`
      tally.places.set(place, (tally.places.get(place) ?? 0) + 1)
    }
    tally.cuts += numbers.length
    const jobs = await countRows(system, `jobs WHERE dispatch ->> '$.filename' LIKE '${markOf(seed, '')}%'`)
    if (jobs !== tally.cuts) note(`${tally.cuts} keys made ${jobs} jobs`)
  }
  for (const name of LINES) for (const text of lines[name].pending()) note(`${text} did not break at ${name}`)
  return tally
}

/** Returns the beginning of the name of a job's file. */
function markOf(seed: number, rest: string): string {
  return `cut-${seed}-${rest}`
}

/** Only the commit of a job writes the effect that dispatches it. */
const TEXTS: Readonly<Record<LineName, readonly string[]>> = {
  request: [],
  commit: ['dispatch:'],
  dispatch: [],
  report: [],
}

/** Submits a job whose connection breaks once. The name of its file marks all of its requests. */
async function cutOne(
  { client, folder, image }: { client: Client; folder: string; image: string },
  lines: Lines,
  seed: number,
  number: number,
): Promise<string> {
  const { line, where } = planCut(seed, number)
  const mark = markOf(seed, `${number}-`)
  const file = join(folder, `${mark}.png`)
  await copyFile(image, file)
  const file_url = await client.upload(file, 'image/png')
  await rm(file)
  lines[line].breakNext([mark, ...TEXTS[line]], where)
  const body = { service_slug: 'image', operation_key: 'resize', params: { file_url, width: 16 } }
  const until = Date.now() + SUBMIT_MS_MAX
  for (;;) {
    const id = await submitOnce(lines.request.url, client, body, mark)
    if (id !== null) return id
    if (Date.now() > until) throw new Error(`${mark} was never accepted`)
    await delay(200)
  }
}

/** @returns null if the connection broke, or the edge asks to repeat the request */
async function submitOnce(url: string, { token }: Client, body: object, key: string): Promise<string | null> {
  const response = await fetch(`${url}/api/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null) return null
  const answer = await response.text()
  if (response.status === 201) return z.object({ id: z.string() }).parse(JSON.parse(answer)).id
  if (response.status >= 500 || answer.includes('idempotency_request_running')) return null
  throw new Error(`a submission was answered ${response.status}: ${answer}`)
}
