import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Client } from '../client.ts'
import { addCredits } from '../system/add-credits.ts'
import { runBuiltWorker } from '../system/parts.ts'
import { findFreePorts } from '../system/ports.ts'
import { ROOT } from '../system/root.ts'
import type { System } from '../system/system.ts'
import { startTemporarySystem } from '../system/temporary-system.ts'
import { bundleFleet } from './bundle-fleet.ts'
import type { CheckedSystem } from './checks.ts'
import { closeLines, type Lines, openLines } from './lines.ts'
import type { JobKind } from './plan.ts'

/** A system that may be broken, with an account that has enough credits and the files of its jobs. */
export interface FaultContext extends CheckedSystem {
  system: System
  data_directory: string
  /** A small image. */
  image: string
  lines: Lines
  submissions: Record<
    JobKind,
    { service_slug: string; operation_key: string; params: Record<string, unknown> }
  >
  stop(): Promise<void>
}

/** Reassigns the jobs of a dead worker soon, and retries attempts more often than a round breaks anything. */
const FAST_RECOVERY = { LOCK_SECONDS: '2', RETRY_MS: '200', ATTEMPTS_MAX: '20' }
/** The script runs the scheduled tasks itself. */
const NEVER_MS = 3_600_000

export async function openFaultContext(signal: AbortSignal): Promise<FaultContext> {
  const ports = await findFreePorts()
  const lines = await openLines(ports)
  const programs = join(ROOT, '.data/faults')
  // The fleet starts hundreds of times.
  process.env.NODE_COMPILE_CACHE = join(programs, 'cache')
  const { system, folder, db, client, stop } = await startTemporarySystem('faults', {
    ports,
    fleet: { ...FAST_RECOVERY, EDGE_URL: lines.report.url },
    edge: { DATABASE_URL: lines.commit.url, FLEET_URL: lines.dispatch.url },
    fleet_program: await bundleFleet(programs),
    edge_command: runBuiltWorker,
    cron_interval_ms: NEVER_MS,
    signal,
  })
  const { account_id, balance } = await addCredits(db, client)
  return {
    ...{ system, ports, lines, db, client, account_id },
    data_directory: folder,
    credits: balance,
    ...(await makeSubmissions(client, folder)),
    async stop() {
      await stop()
      await closeLines(lines)
    },
  }
}

async function makeSubmissions(
  client: Client,
  folder: string,
): Promise<Pick<FaultContext, 'image' | 'submissions'>> {
  const [image, clip] = [join(folder, 'dot.png'), join(folder, 'clip.mp4')]
  await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } }).toFile(image)
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', clip])
  const image_url = await client.upload(image, 'image/png')
  const clip_url = await client.upload(clip, 'video/mp4')
  const submissions = {
    image: {
      service_slug: 'image',
      operation_key: 'resize',
      params: { file_url: image_url, width: 16 },
    },
    thumbnail: {
      service_slug: 'video',
      operation_key: 'thumbnail',
      params: { file_url: clip_url, at: 1 },
    },
    encode: {
      service_slug: 'video',
      operation_key: 'compress',
      params: { file_url: clip_url, preset: 'faster' },
    },
  }
  return { image, submissions }
}
