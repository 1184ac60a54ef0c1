import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { ProfileStep } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { makeColorProfile, makeGrayProfile } from './color-profile.ts'

/** The signature and IHDR, which a profile must follow. */
const PNG_START_BYTES = 33
const COLOR_TYPE_OFFSET = 25
/** Set in all color types but gray, with and without alpha. */
const COLOR_FLAG = 2

/** Copies a PNG and adds an ICC profile for its color code points, which sharp then converts by. */
export async function attachProfile({ input, color, output }: ProfileStep, run: Run): Promise<void> {
  const source = fileIn(run.folder, input)
  const profile = profileChunk((await isGray(source)) ? makeGrayProfile(color) : makeColorProfile(color))
  async function* parts() {
    yield* createReadStream(source, { end: PNG_START_BYTES - 1 })
    yield profile
    yield* createReadStream(source, { start: PNG_START_BYTES })
  }
  await pipeline(parts, createWriteStream(fileIn(run.folder, output.file)), { signal: run.signal })
}

async function isGray(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, COLOR_TYPE_OFFSET)
    return (buffer.readUInt8(0) & COLOR_FLAG) === 0
  } finally {
    await file.close()
  }
}

function profileChunk(profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPCICP\0\0', 'latin1'), deflateSync(profile)])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
