import type { FactName, Facts } from '../../shared/operations/facts.ts'
import type { Plan } from '../../shared/operations/operation.ts'
import { readsParts } from '../../shared/operations/reading.ts'
import { SOURCE } from '../../shared/operations/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { downloadFile } from '../steps/download.ts'
import type { Storage } from '../storage.ts'
import { openParts } from './parts.ts'
import { startPartsServer } from './server.ts'

/** Smaller files are downloaded: one request is less than the several that parts take. */
const WHOLE_BYTES_MAX = 8 * 1024 * 1024

const PARTS_FILE = 'source-parts'

/** A job's input while the job runs: in its folder, or read where it lies. */
export interface JobSource {
  /**
   * Runs what reads the input. When the storage broke off meanwhile, its error is thrown: ffmpeg takes
   * that for the end of the file.
   */
  use<T>(work: (run: Run) => Promise<T>): Promise<T>
  /** Brings the whole input into the folder, unless the plan reads only a little of it. */
  prepareFor(plan: Plan, facts: Pick<Facts, 'probe'>): Promise<void>
  close(): Promise<void>
}

/** Opens an object that may be read by parts, where only the probe is wanted of it; downloads all else. */
export async function openSource(
  { source }: Pick<Dispatch, 'source'>,
  facts: readonly FactName[],
  run: Run,
  storage: Storage,
): Promise<JobSource> {
  const may_read_parts = facts.every((name) => name === 'probe' || name === 'assets')
  if (source.kind === 'object' && may_read_parts) {
    const size_bytes = await storage.measure(source.key, run.signal)
    if (size_bytes > WHOLE_BYTES_MAX) return openLargeObject(source.key, size_bytes, run, storage)
  }
  // What is behind a link is fetched as a fact, when it is known what there is.
  if (source.kind !== 'link') await downloadFile(source, SOURCE, run, storage)
  return { use: (work) => work(run), prepareFor: async () => {}, close: async () => {} }
}

async function openLargeObject(
  key: string,
  size_bytes: number,
  run: Run,
  storage: Storage,
): Promise<JobSource> {
  const closing = new AbortController()
  const signal = AbortSignal.any([run.signal, closing.signal])
  const parts = await openParts(fileIn(run.folder, PARTS_FILE), size_bytes, (range) =>
    storage.readRange(key, range, signal),
  )
  const broken: { error: unknown }[] = []
  const server = await startPartsServer(parts, size_bytes, (error) => broken.push({ error }))
  let reading: Run = { ...run, source_url: server.url }
  return {
    async use(work) {
      const result = await work(reading).catch((error: unknown) => {
        run.signal.throwIfAborted()
        throw broken[0]?.error ?? error
      })
      if (broken[0] !== undefined) throw broken[0].error
      return result
    },
    async prepareFor(plan, { probe }) {
      if (readsParts(plan, probe.duration_seconds)) return
      await downloadFile({ kind: 'object', key }, SOURCE, run, storage)
      reading = run
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      await server.close()
      await parts.close()
    },
  }
}
