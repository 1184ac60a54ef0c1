import type { StoredJob } from '../jobs/queries.ts'
import { readVideoNote, type VideoNote, type VideoNoteRefusal } from './rules/updates.ts'

/** Returns the file of a finished job in the form a bot sends, or null if it was deleted. */
export function findRoundVideo({
  result,
}: Pick<StoredJob, 'result'>): (VideoNote & { key: string }) | VideoNoteRefusal | null {
  const file = result?.files[0]
  if (result === null || file === undefined) return null
  const note = readVideoNote(result.body, file)
  return 'refused' in note ? note : { ...note, key: file.key }
}
