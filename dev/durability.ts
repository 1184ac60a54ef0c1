import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cut, type CutContext, cutPower } from './durability/cut.ts'
import { openVirtualDisk } from './durability/virtual-disk.ts'
import { addCredits } from './system/add-credits.ts'
import { setDurability } from './system/durability.ts'
import { LOOPBACK } from './system/ports.ts'
import { startTemporarySystem } from './system/temporary-system.ts'

/**
 * `npm run durability -- --cuts 20 --jobs 50`: submits jobs to a system whose database is on a virtual disk, and cuts
 * the power of the disk as soon as 50 are accepted, 20 times. No accepted job may be missing afterwards, and the ledger
 * must be consistent. A last cut with the default of sqld must lose jobs, which shows that the disk drops writes. Requires
 * Linux and root.
 */
const { values } = parseArgs({
  options: { cuts: { type: 'string', default: '20' }, jobs: { type: 'string', default: '50' } },
})
const [cuts, jobs] = [Number(values.cuts), Number(values.jobs)]
if (![cuts, jobs].every((number) => Number.isSafeInteger(number) && number > 0)) {
  console.error('--cuts and --jobs must be positive integers.')
  process.exit(2)
}

const disk = await openVirtualDisk(await mkdtemp(join(tmpdir(), 'durability-disk-')))
try {
  process.exitCode = (await cutAll()) ? 0 : 1
} finally {
  await disk.remove()
}

/** Returns whether nothing was lost, except by the default of sqld. */
async function cutAll(): Promise<boolean> {
  const { system, ports, db, client, stop } = await startTemporarySystem('durability', {
    prepare: (data_directory) => symlink(disk.folder, join(data_directory, 'database')),
    cron_interval_ms: 3_600_000,
  })
  try {
    await addCredits(db, client)
    // Only submits commit, and each charges the account.
    await system.parts.fleet.stop()
    // sqld does not flush its file .version, and does not start without it.
    await disk.flush()
    const context: CutContext = { disk, database: system.parts.database, db, client }

    const strong = await repeatCut(context)
    const { ok } = await client.verifyLedger()
    console.log(
      `${describeCuts('Commits wait for the disk', strong)}; the ledger is ${ok ? '' : 'in'}consistent`,
    )
    await setDurability(`http://${LOOPBACK}:${ports.database_admin}`, 'relaxed')
    const relaxed = [await cutPower(context, jobs)]
    console.log(describeCuts('Default of sqld', relaxed))
    return ok && countLost(strong) === 0 && countLost(relaxed) > 0
  } finally {
    await stop()
  }
}

async function repeatCut(context: CutContext): Promise<Cut[]> {
  const done: Cut[] = []
  while (done.length < cuts) done.push(await cutPower(context, jobs))
  return done
}

function describeCuts(title: string, done: Cut[]): string {
  const accepted = done.reduce((total, cut) => total + cut.accepted.length, 0)
  return `${title}: ${done.length} cuts, ${countLost(done)} of ${accepted} accepted jobs lost`
}

function countLost(done: Cut[]): number {
  return done.reduce((total, { lost }) => total + lost.length, 0)
}
