import { failWith } from '../failure.ts'
import { CRASHES, TOO_LARGE, tooLarge } from '../image-program.ts'
import type { DecoderEnded } from './process.ts'

/** Names what an image did to the process that decoded it. Any other end is the fault of the machine. */
export function explainEnd(end: DecoderEnded): Error {
  if (end.ended_by === 'SIGXFSZ' || TOO_LARGE.test(end.output)) return tooLarge()
  return end.ended_by !== null && CRASHES.has(end.ended_by) ? failWith('image_unreadable') : end
}
