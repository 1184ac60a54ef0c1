import { readdir } from 'node:fs/promises'

/** Lists the folders of jobs in a work directory. Decoders that wait for work keep folders of their own. */
export async function listJobFolders(work_directory: string): Promise<string[]> {
  return (await readdir(work_directory)).filter((name) => !name.startsWith('decoder-'))
}
