import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { crc32, deflateSync } from 'node:zlib'

/** Length of the PNG signature and IHDR. A profile must come after them. */
const PNG_START_BYTES = 33

/** Copies a PNG that has no color profile, and adds the given ICC profile. */
export async function addProfile(
  source: string,
  profile: Buffer,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  async function* parts() {
    yield* createReadStream(source, { end: PNG_START_BYTES - 1 })
    yield profileChunk(profile)
    yield* createReadStream(source, { start: PNG_START_BYTES })
  }
  await pipeline(parts, createWriteStream(target), { signal })
}

function profileChunk(profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPICC\0\0', 'latin1'), deflateSync(profile)])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
