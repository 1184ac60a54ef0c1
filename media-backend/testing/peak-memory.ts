import { readFile } from 'node:fs/promises'
import { type ImageSpec, operateImage } from './operate-image.ts'

/**
 * This program runs the image operations in its second argument (JSON) on the file in its first argument. It prints
 * the peak memory growth of the process in megabytes.
 */
const [path = '', specs = '[]'] = process.argv.slice(2)
const input = await readFile(path)
const [first, ...others] = JSON.parse(specs) as ImageSpec[]
if (first === undefined) throw new Error('no operation')
const peak_mb = () => process.resourceUsage().maxRSS / 1024
// Keeps the code that every image loads out of the measurement.
await operateImage(input, [['resize', { width: 16 }]])
const before_mb = peak_mb()
// Runs in this process, because the memory of a child process would not be counted.
await operateImage(input, [first, ...others], { settings: { IMAGE_PROCESS_BYTES_MIN: '1000000000000' } })
process.stdout.write(`${Math.round(peak_mb() - before_mb)}\n`)
