import { stat } from 'node:fs/promises'
import { readsParts } from '../../shared/ffmpeg/partial-reads.ts'
import type { FactName, Facts } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import type { Dispatch, StoredObject } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../runtime/folder.ts'
import type { ReportProgress } from '../runtime/progress.ts'
import type { Run } from '../runtime/run.ts'
import { weighFetched } from '../runtime/weights.ts'
import { downloadFile } from './download.ts'
import { openParts } from './parts.ts'
import { startPartsServer } from './parts-server.ts'
import type { Storage } from './storage.ts'

/** Smaller files are downloaded in full, because one request is cheaper than several requests for parts. */
const WHOLE_BYTES_MAX = 8 * 1024 * 1024

/**
 * Largest object whose download begins while it is probed, which bounds what an input costs that is refused or moves to
 * another lane. For larger ones, the probe takes a negligible share of the time.
 */
const EARLY_BYTES_MAX = 32 * 1024 * 1024

/** Facts that need little or no data from the input. */
const READ_BY_PARTS: readonly FactName[] = ['probe', 'lead_seconds', 'cut_packets', 'assets']

const PARTS_FILE = 'source-parts'

/** The input of a running job: either a file in its folder, or an object that is read from the storage in parts. */
export interface JobSource {
  /** Name that the server of an imported file gives it, if any. */
  filename: string | null
  /**
   * Runs work that reads the input. If the storage fails during the work, throws its error, because ffmpeg mistakes
   * the failure for the end of the file.
   */
  use<T>(work: (run: Run) => Promise<T>): Promise<T>
  /**
   * Returns the size of the input and the amount that a plan still needs to download: either all of it or almost
   * nothing.
   */
  measureFor(plan: Plan, facts: Pick<Facts, 'probe'>): Promise<{ bytes: number; missing_bytes: number }>
  /** Downloads the whole input unless the plan reads only a small part of it. */
  prepareFor(plan: Plan, facts: Pick<Facts, 'probe'>, reportProgress: ReportProgress): Promise<void>
  close(): Promise<void>
}

/**
 * Opens an input. Reads large objects in parts if no fact needs the whole object. Downloads all other inputs and
 * reports the progress.
 * @param will_read_all true if the plan will read the whole input, so that its download can begin before the plan is known
 */
export async function openSource(
  { source, input_bytes = Number.POSITIVE_INFINITY }: Pick<Dispatch, 'source' | 'input_bytes'>,
  facts: readonly FactName[],
  run: Run,
  storage: Storage,
  reportProgress: ReportProgress,
  will_read_all = false,
): Promise<JobSource> {
  const may_read_parts = facts.every((name) => READ_BY_PARTS.includes(name))
  // The edge has checked the size of an upload, so a small one costs no request for it.
  if (source.kind === 'object' && may_read_parts && input_bytes > WHOLE_BYTES_MAX) {
    const size_bytes = await storage.measure(source, run)
    const is_early = will_read_all && size_bytes <= EARLY_BYTES_MAX
    if (size_bytes > WHOLE_BYTES_MAX) return openLargeObject(source, { size_bytes, is_early }, run, storage)
  }
  // Media from a link is downloaded as a fact, once the formats are known.
  const { filename } =
    source.kind === 'link'
      ? { filename: null }
      : await downloadFile(source, SOURCE, run, storage, (done_bytes, total_bytes) =>
          reportProgress(weighFetched(source.kind, done_bytes, total_bytes)),
        )
  return {
    filename,
    use: (work) => work(run),
    measureFor: async () => ({ bytes: await sizeInFolder(run), missing_bytes: 0 }),
    prepareFor: async () => {},
    close: async () => {},
  }
}

/** Returns 0 if only the metadata of a link was requested. */
async function sizeInFolder({ folder }: Run): Promise<number> {
  const file = await stat(fileIn(folder, SOURCE)).catch(() => null)
  return file?.size ?? 0
}

/** The download of a whole object, which may begin before anybody waits for it. */
interface Download {
  finish(reportBytes: (bytes: number) => void): Promise<unknown>
  /** Waits for the end of the download, whatever it is. */
  settle(): Promise<unknown>
}

function beginDownload(object: StoredObject, run: Run, storage: Storage): Download {
  let done_bytes = 0
  let report = (_bytes: number) => {}
  const downloaded = downloadFile({ kind: 'object', ...object }, SOURCE, run, storage, (bytes) => {
    done_bytes = bytes
    report(bytes)
  })
  const settled = downloaded.catch(() => undefined)
  return {
    finish(reportBytes) {
      report = reportBytes
      report(done_bytes)
      return downloaded
    },
    settle: () => settled,
  }
}

async function openLargeObject(
  object: StoredObject,
  { size_bytes, is_early }: { size_bytes: number; is_early: boolean },
  run: Run,
  storage: Storage,
): Promise<JobSource> {
  const closing = new AbortController()
  const signal = AbortSignal.any([run.signal, closing.signal])
  // After a failed read, the work fails. Without this, each of its later reads would wait for the storage again.
  const failing = new AbortController()
  const reads_signal = AbortSignal.any([signal, failing.signal])
  const parts = await openParts(fileIn(run.folder, PARTS_FILE), size_bytes, (range) =>
    storage.readRange(object, range, { ...run, signal: reads_signal }).catch((error) => {
      failing.abort(error)
      throw error
    }),
  )
  const failures: { error: unknown }[] = []
  const server = await startPartsServer(parts, size_bytes, (error) => failures.push({ error }))
  let reading: Run = { ...run, source_url: server.url }
  let download = is_early ? beginDownload(object, { ...run, signal }, storage) : null
  return {
    filename: null,
    async use(work) {
      const result = await work(reading).catch((error: unknown) => {
        run.signal.throwIfAborted()
        throw failures[0]?.error ?? error
      })
      if (failures[0] !== undefined) throw failures[0].error
      return result
    },
    async measureFor(plan, { probe }) {
      const is_enough = readsParts(plan, probe.duration_seconds)
      return { bytes: size_bytes, missing_bytes: is_enough ? 0 : size_bytes }
    },
    async prepareFor(plan, { probe }, reportProgress) {
      if (readsParts(plan, probe.duration_seconds)) return
      download ??= beginDownload(object, { ...run, signal }, storage)
      await download.finish((done_bytes) => reportProgress(done_bytes / size_bytes))
      reading = run
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      await download?.settle()
      await server.close()
      await parts.close()
    },
  }
}
