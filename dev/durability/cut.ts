import type { Database } from '../../edge/platform/database/client.ts'
import type { Client } from '../client.ts'
import type { Part } from '../system/processes.ts'
import type { VirtualDisk } from './virtual-disk.ts'

export interface CutContext {
  disk: VirtualDisk
  /** The database, whose files are on the disk. */
  database: Part
  db: Database
  client: Client
}

export interface Cut {
  /** Jobs whose submission was answered with 201. */
  accepted: string[]
  /** Accepted jobs that are missing afterwards, or whose charge is. */
  lost: string[]
}

const CLIENTS = 8
const SUBMISSION = {
  service_slug: 'image',
  operation_key: 'resize',
  params: { file_url: 'https://media.example.org/photo.jpg', width: 16 },
}

/** Submits jobs until `count` are accepted, cuts the power in that moment, and starts disk and database again. */
export async function cutPower(context: CutContext, count: number): Promise<Cut> {
  const { disk, database, db, client } = context
  const accepted: string[] = []
  const submitUntilCut = async () => {
    while (disk.isOn()) {
      try {
        accepted.push((await client.submit(SUBMISSION)).id)
      } catch (error) {
        if (disk.isOn()) throw error
      }
      if (accepted.length === count) disk.cutPower()
    }
    await database.kill()
  }
  await Promise.all(Array.from({ length: CLIENTS }, submitUntilCut))
  await disk.restart()
  await database.start()
  const charged = await listChargedJobs(db)
  return { accepted, lost: accepted.filter((id) => !charged.has(id)) }
}

/** Returns the jobs that have an entry in the ledger. */
async function listChargedJobs(db: Database): Promise<Set<string>> {
  const { rows } = await db.$client.execute('SELECT jobs.id FROM jobs JOIN ledger ON ledger.job_id = jobs.id')
  return new Set(rows.map(({ id }) => String(id)))
}
