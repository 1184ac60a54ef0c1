import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Database } from '../../edge/platform/database/client.ts'
import type { Client } from '../client.ts'
import { addCredits } from '../system/add-credits.ts'
import type { System } from '../system/system.ts'
import { startTemporarySystem } from '../system/temporary-system.ts'
import type { JobKind } from './plan.ts'

/** A system that may be broken, with an account that has enough credits and the files of its jobs. */
export interface FaultContext {
  system: System
  data_directory: string
  db: Database
  client: Client
  account_id: number
  credits: number
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
  const { system, folder, db, client, stop } = await startTemporarySystem('faults', {
    fleet: FAST_RECOVERY,
    cron_interval_ms: NEVER_MS,
    signal,
  })
  const { account_id, balance } = await addCredits(db, client)
  return {
    system,
    data_directory: folder,
    db,
    client,
    account_id,
    credits: balance,
    submissions: await makeSubmissions(client, folder),
    stop,
  }
}

async function makeSubmissions(client: Client, folder: string): Promise<FaultContext['submissions']> {
  const [image, clip] = [join(folder, 'dot.png'), join(folder, 'clip.mp4')]
  await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } }).toFile(image)
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=10']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', clip])
  const image_url = await client.upload(image, 'image/png')
  const clip_url = await client.upload(clip, 'video/mp4')
  return {
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
}
