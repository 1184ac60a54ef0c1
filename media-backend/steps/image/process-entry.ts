import type { Environment } from '../../environment.ts'
import { JobFailure } from '../../runtime/failure.ts'
import { runImage } from './image.ts'
import type { ImageProcessInput, ImageProcessOutput } from './own-process.ts'

/**
 * Entry point of the child process: draws the image described by its JSON argument and prints the result
 * (own-process.ts).
 */
const { step, folder, environment } = JSON.parse(process.argv[2] ?? '') as ImageProcessInput
const run = { folder, environment: environment as Environment, signal: new AbortController().signal }
const answer = await runImage(step, run).then(
  (measured): ImageProcessOutput => ({ measured }),
  (error: unknown): ImageProcessOutput =>
    error instanceof JobFailure ? { failed: error.reason } : { error: String(error) },
)
process.stdout.write(`${JSON.stringify(answer)}\n`)
