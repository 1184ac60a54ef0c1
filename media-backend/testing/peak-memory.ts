import { readFile } from 'node:fs/promises'
import { TASKS } from '../decoder/tasks.ts'
import { decodeHere } from '../runtime/decoder/decode.ts'
import { type ImageSpec, operateImage } from './operate-image.ts'

/**
 * This program runs the image operations in its second argument (JSON) on the file in its first argument. It prints
 * the peak memory growth of the process in megabytes.
 */
// The memory of a child process would not be counted.
decodeHere(TASKS)
const [path = '', specs = '[]'] = process.argv.slice(2)
const input = await readFile(path)
const [first, ...others] = JSON.parse(specs) as ImageSpec[]
if (first === undefined) throw new Error('no operation')
const peak_mb = () => process.resourceUsage().maxRSS / 1024
// Keeps the code that every image loads out of the measurement.
await operateImage(input, [['resize', { width: 16 }]])
const before_mb = peak_mb()
await operateImage(input, [first, ...others])
process.stdout.write(`${Math.round(peak_mb() - before_mb)}\n`)
