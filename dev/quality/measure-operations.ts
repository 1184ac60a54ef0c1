import { compareAll } from './measure-videos.ts'
import { type ComparedOperation, FIXED_DEFAULT } from './operation-page.ts'

/** Operations that leave the quality open. `convert` copies videos that are H.264 already, and those say nothing. */
const OPERATIONS: readonly { title: string; operation: [string, Record<string, unknown>] }[] = [
  { title: '`convert` to H.264', operation: ['convert', { vcodec: 'libx264' }] },
  { title: '`resize` to a width of 640', operation: ['resize', { width: 640 }] },
]

/** Compares operations that leave the quality open with the same ones at a fixed rate factor. */
export async function measureOperations(folder: string): Promise<ComparedOperation[]> {
  const compared: ComparedOperation[] = []
  for (const { title, operation } of OPERATIONS)
    compared.push({ title, videos: await compareAll(folder, operation, FIXED_DEFAULT) })
  return compared
}
