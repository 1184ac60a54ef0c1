import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/** Makes small photos, each in another color. @returns their paths */
export async function makePhotos(folder: string, count: number): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (let index = 0; index < count; index++) {
    const background = { r: (index * 37) % 256, g: (index * 91) % 256, b: (index * 17) % 256 }
    const file = join(folder, `photo-${index + 1}.png`)
    await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .png()
      .toFile(file)
    files.push(file)
  }
  return files
}
