import { readFile } from 'node:fs/promises'
import { type ImageSpec, operateImage } from './operate-image.ts'

/**
 * Program: runs the image operations in its second argument (JSON) on the file in its first argument, and prints the
 * peak growth of the process in megabytes.
 */
const [path = '', specs = '[]'] = process.argv.slice(2)
const input = await readFile(path)
const [first, ...others] = JSON.parse(specs) as ImageSpec[]
if (first === undefined) throw new Error('no operation')
const peak_mb = () => process.resourceUsage().maxRSS / 1024
// Code that every image loads is not counted.
await operateImage(input, [['resize', { width: 16 }]])
const before_mb = peak_mb()
// Memory of a child process would not be counted.
await operateImage(input, [first, ...others], { settings: { IMAGE_PROCESS_BYTES_MIN: '1000000000000' } })
process.stdout.write(`${Math.round(peak_mb() - before_mb)}\n`)
