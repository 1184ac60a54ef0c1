import { join, resolve } from 'node:path'
import { backUp } from './backup/backup.ts'
import { readDatabaseAddresses } from './ops/settings.ts'

/**
 * `npm run backup -- [FOLDER]`: writes a consistent backup of each database of the deployment, or of the running
 * local system, to a new file.
 */
const folder = resolve(process.argv[2] ?? 'backups')
const time = new Date().toISOString().replaceAll(':', '-')
for (const [number, address] of readDatabaseAddresses(process.env).entries()) {
  const name = number === 0 ? `media-credits-${time}` : `media-credits-${time}-database-${number}`
  const file = join(folder, `${name}.sql.gz`)
  const lines = await backUp(address, file)
  console.log(`Wrote ${file} (${lines} lines). Copy it to another place.`)
}
