import { readFileSync } from 'node:fs'
import { UNDECODABLE } from './heic-exit.ts'
import { decodePrimaryImage, UndecodableImage } from './libheif.ts'
import { writeTiff } from './write-tiff.ts'

/**
 * Entry point of the child process: decodes a HEIC file to a TIFF with the given ICC profile (heic.ts). It imports
 * nothing else, so it starts fast.
 */
const [input = '', output = '', profile] = process.argv.slice(2)
try {
  writeTiff(output, decodePrimaryImage(input), profile === undefined ? null : readFileSync(profile))
} catch (error) {
  if (!(error instanceof UndecodableImage)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = UNDECODABLE
}
