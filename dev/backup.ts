import { join, resolve } from 'node:path'
import { backUp } from './backup/backup.ts'
import { readDatabaseAddress } from './ops/settings.ts'

/**
 * `npm run backup -- [FOLDER]`: writes a consistent backup of the database of DATABASE_URL, or of the running local
 * system, to a new file.
 */
const folder = resolve(process.argv[2] ?? 'backups')
const name = `media-credits-${new Date().toISOString().replaceAll(':', '-')}.sql.gz`
const file = join(folder, name)
const lines = await backUp(readDatabaseAddress(process.env), file)
console.log(`Wrote ${file} (${lines} lines). Copy it to another place.`)
