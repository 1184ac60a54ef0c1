import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

export interface DatabaseAddress {
  url: string
  auth_token?: string | undefined
}

/**
 * Writes a consistent dump of the database, compressed. The file exists under its name only once it is complete, has
 * been read back, and is on disk.
 * @returns the number of lines
 */
export async function backUp({ url, auth_token }: DatabaseAddress, file: string): Promise<number> {
  const response = await fetch(new URL('/dump', httpUrl(url)), {
    headers: auth_token === undefined ? {} : { authorization: `Bearer ${auth_token}` },
  })
  if (!response.ok || response.body === null) {
    throw new Error(`The database returned ${response.status} instead of a dump.`)
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const partial = `${file}.partial`
  try {
    const target = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(Readable.fromWeb(response.body as never), createGzip(), target)
    const lines = await countLines(partial)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return lines
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Reads the lines of a backup. Opens the file with the first line, because readline drops lines until then. */
export async function* readBackup(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: 0 })
}

/** @throws if the last statement is missing, for example because the connection ended early */
async function countLines(file: string): Promise<number> {
  let count = 0
  let last = ''
  for await (const line of readBackup(file)) {
    count++
    if (line !== '') last = line
  }
  if (last !== 'COMMIT;') throw new Error('The dump is incomplete. Run the backup again.')
  return count
}

/** libSQL URLs are also valid in the client; HTTP requests need the scheme of the web. */
function httpUrl(url: string): string {
  return url.replace(/^libsql:/, 'https:')
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
