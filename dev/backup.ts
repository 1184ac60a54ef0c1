import { resolve } from 'node:path'
import { backUpAll } from './backup/backup-set.ts'
import { readDatabaseAddresses } from './ops/settings.ts'

/**
 * `npm run backup -- [FOLDER]`: writes a consistent backup of each database of the deployment, or of the running
 * local system, to a new file.
 */
const set = { folder: resolve(process.argv[2] ?? 'backups'), time: Date.now() }
try {
  await backUpAll(readDatabaseAddresses(process.env), set, (file, lines) =>
    console.log(`Wrote ${file} (${lines} lines). Copy it to another place.`),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
