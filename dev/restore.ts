import { basename } from 'node:path'
import { readBackup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { openOps } from './ops/open-deps.ts'
import { readDatabaseAddress } from './ops/settings.ts'
import { verifyLedgers } from './ops/verify-ledgers.ts'

/** `npm run restore -- FILE`: fills the empty database of DATABASE_URL from a backup and verifies all ledgers. */
const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the file of the backup: npm run restore -- FILE')
  process.exit(2)
}
const time = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)/.exec(basename(file))
const now = Date.now()
const backup_at = time === null ? now : Date.parse(`${time[1]}:${time[2]}:${time[3]}`)
const address = readDatabaseAddress(process.env)
await restore(address, readBackup(file), { backup_at, now })
const faults = await verifyLedgers(openOps(process.env).db)
for (const fault of faults) console.error(fault)
console.log(
  `Restored ${file}. ${faults.length === 0 ? 'All ledgers are correct.' : `${faults.length} faults in ledgers.`}`,
)
console.log('Next: npm run ops -- reconcile, then npm run ops -- rebuild-queues.')
process.exit(faults.length === 0 ? 0 : 1)
