import type { TransferFault } from '../../shared/failures/transfers.ts'
import type { Source } from '../../shared/protocol/dispatch.ts'
import type { ReportBytes } from '../runtime/arrival.ts'
import type { CustomerStorage } from '../runtime/customer-storage.ts'
import { failWith } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { type ImportedFile, importUrl } from './import/import-url.ts'
import type { Storage } from './storage.ts'

/**
 * Downloads a file into the job's folder under the given name.
 * @throws JobFailure download_failed or input_too_large; Error if the storage is unreachable.
 */
export async function downloadFile(
  source: Source,
  name: string,
  run: Run,
  storage: Storage,
  reportBytes: ReportBytes = () => {},
): Promise<ImportedFile> {
  const path = fileIn(run.folder, name)
  if (source.kind === 'url') {
    const headers = source.has_headers ? await requireCustomerStorage(run).importHeaders() : {}
    return importUrl(source.url, path, run, { reportBytes, headers })
  }
  if (source.kind === 'object') await storage.download(source, path, run, reportBytes)
  else if (source.kind === 'storage') await importObject(source.address, path, run, reportBytes)
  else throw new Error('media from a link is downloaded as a fact')
  return { filename: null }
}

/** Downloads an object from the storage of the customer. */
async function importObject(
  address: string,
  path: string,
  run: Run,
  reportBytes: ReportBytes,
): Promise<void> {
  const url = await requireCustomerStorage(run).read(address)
  const failure = (fault: TransferFault) => failWith('storage_import_failed', { ...fault, address })
  await importUrl(url, path, run, { reportBytes, failure, redirects_max: 0 })
}

function requireCustomerStorage({ customer_storage }: Run): CustomerStorage {
  if (customer_storage === undefined) throw new Error('the storage of the customer is not open')
  return customer_storage
}
