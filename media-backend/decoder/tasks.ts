import { writeFile } from 'node:fs/promises'
import { imageFacts } from '../probe/image/image.ts'
import type { Tasks } from '../runtime/decoder/decode.ts'
import type { Header } from '../runtime/decoder/tasks.ts'
import { failWith } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { imageFailure, openImage, shownSize } from '../runtime/sharp.ts'
import { runImage } from '../steps/image/image.ts'
import { paintLayer } from '../steps/image/layer.ts'

const PROFILE_BYTES_MIN = 128

/** What a decoder process can do. */
export const TASKS: Tasks = {
  facts: ({ file }, { folder, environment }) => imageFacts(fileIn(folder, file), environment),
  header: ({ file }, run) => explained(run, () => readHeader(file, run)),
  heic_header: ({ file, profile_file }, run) =>
    explained(run, async () => {
      const { width, height, icc } = await openImage(fileIn(run.folder, file), run.environment).metadata()
      if (icc !== undefined) await writeFile(fileIn(run.folder, profile_file), declaredProfile(icc))
      return { width, height, has_profile: icc !== undefined }
    }),
  decode_pages: ({ file, pages }, run) =>
    explained(run, async () => {
      for (const page of pages) await decodePage(file, page, run)
      return null
    }),
  is_blank: ({ file }, run) =>
    explained(run, async () => {
      const { channels } = await openImage(fileIn(run.folder, file), run.environment).stats()
      return channels.every(({ min, max }) => min === max)
    }),
  make_png: ({ input, output }, run) =>
    explained(run, async () => {
      const image = openImage(fileIn(run.folder, input), run.environment)
      await image.autoOrient().png({ compressionLevel: 1 }).toFile(fileIn(run.folder, output))
      return null
    }),
  draw: runImage,
  layer: async (step, run) => {
    await explained(run, () => paintLayer(step, run))
    return null
  },
}

async function explained<T>({ environment }: Run, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw imageFailure(error, environment)
  }
}

async function readHeader(file: string, { folder, environment }: Run): Promise<Header> {
  const header = await openImage(fileIn(folder, file), environment).metadata()
  const { format, compression, depth, width, height, pages, orientation, delay = [] } = header
  const shown = shownSize(header)
  return {
    ...{ format, compression, depth, width, height, pages, orientation, delay },
    shown: { width: shown.width, height: shown.height },
  }
}

async function decodePage(file: string, page: number, { folder, environment }: Run): Promise<void> {
  await openImage(fileIn(folder, file), environment, page === 0 ? {} : { page })
    .resize({ width: 8, height: 8, fit: 'fill' })
    .raw()
    .toBuffer()
}

/** Cuts a profile at its declared length, because some phones append bytes to it. */
function declaredProfile(icc: Buffer): Buffer {
  const declared = icc.length < PROFILE_BYTES_MIN ? 0 : icc.readUInt32BE(0)
  if (declared < PROFILE_BYTES_MIN || declared > icc.length) throw failWith('heic_profile_corrupt')
  return icc.subarray(0, declared)
}
