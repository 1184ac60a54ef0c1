import { join, resolve } from 'node:path'
import { backUp } from './backup/backup.ts'
import { readMoves } from './backup/read-moves.ts'
import { readDatabaseAddresses } from './ops/settings.ts'

/**
 * `npm run backup -- [FOLDER]`: writes a consistent backup of each database of the deployment, or of the running
 * local system, to a new file.
 */
const folder = resolve(process.argv[2] ?? 'backups')
const time = new Date().toISOString().replaceAll(':', '-')
const addresses = readDatabaseAddresses(process.env)
const before = await readMoves(addresses)
for (const [number, address] of addresses.entries()) {
  const name = number === 0 ? `media-credits-${time}` : `media-credits-${time}-database-${number}`
  const file = join(folder, `${name}.sql.gz`)
  const lines = await backUp(address, file)
  console.log(`Wrote ${file} (${lines} lines). Copy it to another place.`)
}
if ((await readMoves(addresses)) !== before) {
  throw new Error('An account moved during the backup, and may be missing in it. Run the backup again.')
}
