import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { DATA_DIRECTORY } from './system/root.ts'

const LocalFile = z.object({
  api_url: z.url(),
  mail_url: z.url(),
  /** Absent from files written by earlier versions. */
  payments_url: z.url().optional(),
  admin: z.object({ email: z.string(), password: z.string() }),
})
export type LocalFile = z.infer<typeof LocalFile>

/** Writes local.json, which holds the running system's addresses and its administrator's credentials. */
export function writeLocalFile(dataDirectory: string, local: LocalFile): void {
  const { api_url, mail_url, payments_url, admin } = local
  const text = `${JSON.stringify({ api_url, mail_url, payments_url, admin }, null, 2)}\n`
  writeFileSync(join(dataDirectory, 'local.json'), text, { mode: 0o600 })
}

/** Reads the file that the last `npm start` wrote. Returns null if there is none. */
export function readLocalFile(): LocalFile | null {
  const file = join(DATA_DIRECTORY, 'local.json')
  return existsSync(file) ? LocalFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}
