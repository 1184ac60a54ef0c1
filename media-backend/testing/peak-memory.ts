import { readFile } from 'node:fs/promises'
import { type ImageSpec, operateImage } from './operate-image.ts'

/**
 * A program: carries out the image operations that its second argument lists in JSON on the file that the
 * first names, and prints how many megabytes the process grew by at most.
 */
const [path = '', specs = '[]'] = process.argv.slice(2)
const input = await readFile(path)
const [first, ...others] = JSON.parse(specs) as ImageSpec[]
if (first === undefined) throw new Error('no order')
const peak_mb = () => process.resourceUsage().maxRSS / 1024
// What is loaded for any picture counts as there.
await operateImage(input, [['resize', { width: 16 }]])
const before_mb = peak_mb()
// Another process would not be seen.
await operateImage(input, [first, ...others], { settings: { IMAGE_PROCESS_BYTES_MIN: '1000000000000' } })
process.stdout.write(`${Math.round(peak_mb() - before_mb)}\n`)
