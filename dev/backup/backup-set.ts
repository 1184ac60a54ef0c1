import { basename, dirname, join } from 'node:path'
import { backUp, type DatabaseAddress } from './backup.ts'
import { readMoves } from './read-moves.ts'

/** The backups of all databases of a deployment, from one run. */
interface BackupSet {
  folder: string
  /** When the run began. */
  time: number
}

/** Names the backup of a database. 0 is the first one. */
function fileOf({ folder, time }: BackupSet, number: number): string {
  const name = `media-credits-${new Date(time).toISOString().replaceAll(':', '-')}`
  return join(folder, number === 0 ? `${name}.sql.gz` : `${name}-database-${number}.sql.gz`)
}

/** Returns the files of the run that made a backup. @throws if the name of the file has no time */
export function filesOf(file: string, numbers: readonly number[]): { time: number; files: string[] } {
  const time = timeOf(file)
  if (time === null) throw new Error(`The name of ${file} does not say when the backup was made.`)
  return { time, files: numbers.map((number) => fileOf({ folder: dirname(file), time }, number)) }
}

/** Returns when a backup was made; null if its file was renamed. */
export function timeOf(file: string): number | null {
  const time = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)/.exec(basename(file))
  return time === null ? null : Date.parse(`${time[1]}:${time[2]}:${time[3]}`)
}

/**
 * Writes a consistent backup of each database to a new file. The home is last: it then knows every row of the catalog
 * and every block of ids of the others.
 * @throws if an account moved during the run, because it may be in none of the files
 */
export async function backUpAll(
  addresses: readonly DatabaseAddress[],
  set: BackupSet,
  onFile: (file: string, lines: number) => void | Promise<void>,
): Promise<void> {
  const before = await readMoves(addresses)
  for (const [number, address] of [...addresses.entries()].toReversed()) {
    const file = fileOf(set, number)
    await onFile(file, await backUp(address, file))
  }
  if ((await readMoves(addresses)) !== before) {
    throw new Error('An account moved during the backup, and may be missing in it. Run the backup again.')
  }
}
