import { Command, InvalidArgumentError } from 'commander'
import { backupOf, restoreSet } from './backup/restore-set.ts'
import { openOps } from './ops/open-deps.ts'
import { readDatabaseAddresses } from './ops/settings.ts'
import { verifyAll } from './ops/verify/verify-all.ts'

interface Options {
  database?: number[]
  withoutMoved?: boolean
}

/** `npm run restore -- FILE`: fills empty databases from a backup and verifies all ledgers. See docs/deploy.md. */
const program = new Command('restore')
  .argument('<file>', 'a backup of the first database; those of the others are beside it')
  .option('--database <numbers...>', 'restore only these databases, 0 is the first one', parseNumbers)
  .option('--without-moved', 'restore although accounts are lost that moved after the backup')
  .action(run)

async function run(file: string, { database, withoutMoved = false }: Options): Promise<void> {
  const addresses = readDatabaseAddresses(process.env)
  const numbers = database ?? [...addresses.keys()]
  const backup = backupOf(file, addresses.length, numbers, Date.now())
  await restoreSet(addresses, backup, { without_moved: withoutMoved })
  const faults = await verifyAll(openOps(process.env).databases)
  for (const fault of faults) console.error(fault)
  const verdict = faults.length === 0 ? 'All ledgers are correct.' : `${faults.length} faults.`
  console.log(`Restored ${file}. ${verdict}`)
  console.log('Next: npm run ops -- reconcile, then npm run ops -- rebuild-queues.')
  process.exitCode = faults.length === 0 ? 0 : 1
}

function parseNumbers(text: string, before: number[] = []): number[] {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It must be the number of a database.')
  return [...before, Number(text)]
}

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
