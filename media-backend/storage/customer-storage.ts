import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { signRequest } from '../../shared/protocol/signature.ts'
import { StorageAccess, type StorageAccessRequest } from '../../shared/protocol/storage-access.ts'
import type { Environment } from '../environment.ts'
import type { CustomerStorage } from '../runtime/customer-storage.ts'
import { failWith, WorkStopped } from '../runtime/failure.ts'
import type { Waits } from '../runtime/waits.ts'
import { watchSilence } from './silence.ts'

const ANSWER_MS_MAX = 10_000
const PAUSES_MS = [500, 2000, 5000]
const STORAGE_ACCESS = { to: 'edge', method: 'POST', path: '/internal/storage-access' } as const

type Granted = Extract<StorageAccess, { outcome: 'granted' }>

interface CustomerAttempt {
  dispatch: Pick<Dispatch, 'job_id'>
  fence: number
  signal: AbortSignal
  waits: Waits
}

type Settings = Pick<Environment, 'EDGE_URL' | 'FLEET_KEYS'>

export function openCustomerStorage(
  { dispatch, fence, signal, waits }: CustomerAttempt,
  settings: Settings,
): CustomerStorage {
  const named = { job_id: dispatch.job_id, fence }
  async function request(asked: StorageAccessRequest): Promise<Granted> {
    const noteArrival = watchSilence(waits)
    const granted = await requireAccess(asked, settings, signal)
    noteArrival()
    return granted
  }
  return {
    read: async (address) => (await request({ type: 'read', ...named, address })).url,
    importHeaders: async () => (await request({ type: 'import', ...named })).headers,
    write: (file) => request({ type: 'write', ...named, ...file }),
  }
}

async function requireAccess(
  request: StorageAccessRequest,
  settings: Settings,
  signal: AbortSignal,
): Promise<Granted> {
  const access = await withRetries(signal, () => askEdge(request, settings, signal))
  if (access.outcome === 'over') throw new WorkStopped('superseded')
  if (access.outcome === 'refused') {
    const { fault } = access
    if (request.type === 'read') throw failWith('storage_import_failed', { fault, address: request.address })
    if (request.type === 'import') throw failWith('import_failed', { fault })
    // An edge that predates `address` does not report where the file was to be written.
    throw failWith('export_failed', { fault, address: access.address ?? request.filename })
  }
  return access
}

async function askEdge(
  request: StorageAccessRequest,
  { EDGE_URL, FLEET_KEYS }: Settings,
  signal: AbortSignal,
): Promise<StorageAccess> {
  const body = JSON.stringify(request)
  const id = `${request.job_id}.${request.fence}.${request.type}.${crypto.randomUUID()}`
  const response = await fetch(`${EDGE_URL}${STORAGE_ACCESS.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signRequest(FLEET_KEYS, STORAGE_ACCESS, { id, body }) },
    body,
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS_MAX), signal]),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the edge responded with ${response.status} to a request for storage access`)
  }
  return StorageAccess.parse(await response.json())
}

/** Retries during short outages of the edge. The queue handles longer ones by restarting the job. */
async function withRetries<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  for (const pause_ms of PAUSES_MS) {
    try {
      return await action()
    } catch {
      signal.throwIfAborted()
      await pause(pause_ms, undefined, { signal })
    }
  }
  return action()
}
