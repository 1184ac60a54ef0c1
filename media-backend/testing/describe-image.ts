import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Metadata } from 'sharp'

/** Reads the metadata of an image with sharp. Uses a file, because the fleet allows no other source. */
export function describeImage(data: Buffer): Promise<Metadata> {
  return withFile(data, (path) => sharp(path).metadata())
}

export async function withFile<T>(data: Buffer | string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-look-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, data)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
