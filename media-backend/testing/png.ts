import { crc32, deflateSync } from 'node:zlib'
import { number32 } from './boxes.ts'

const START_BYTES = 33

/** Builds one chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([number32(data.length), body, number32(crc32(body))])
}

/** Inserts chunks after the header of a PNG. */
export function withPngChunks(png: Buffer, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, START_BYTES), ...chunks, png.subarray(START_BYTES)])
}

/** Builds a chunk of one of the three compressed types. It inflates to the given number of bytes. */
export function compressedChunk(type: 'zTXt' | 'iTXt' | 'iCCP', inflated_bytes: number): Buffer {
  const heads = { zTXt: 'Comment\0\0', iTXt: 'XML:com.adobe.xmp\0\u0001\0\0\0', iCCP: 'profile\0\0' }
  const data = deflateSync(Buffer.alloc(inflated_bytes))
  return pngChunk(type, Buffer.concat([Buffer.from(heads[type], 'latin1'), data]))
}
