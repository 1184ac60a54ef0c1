import { Transform } from 'node:stream'
import { failWith, type JobFailure } from './failure.ts'

/** Fails a stream that exceeds the maximum number of bytes. */
export function limitBytes(bytes_max: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes <= bytes_max) return callback(null, chunk)
      return callback(tooLarge(bytes_max))
    },
  })
}

export function tooLarge(bytes_max: number): JobFailure {
  return failWith('file_too_large', { bytes_max })
}

/** Thrown if the sender is too slow to ever finish. */
export class TooSlow extends Error {}
/** Thrown if the sender sends nothing at all, as after a lost connection. */
export class Stalled extends TooSlow {}

/** Period over which slow starts and short pauses are tolerated. */
const PACE_SECONDS = 15

/** Fails a stream whose average rate in any period is below the minimum. */
export function requirePace(bytes_per_second_min: number, period_seconds = PACE_SECONDS): Transform {
  let bytes = 0
  const watch = setInterval(() => {
    if (bytes === 0) pace.destroy(new Stalled('the sender sends nothing'))
    else if (bytes < bytes_per_second_min * period_seconds)
      pace.destroy(new TooSlow('the sender is too slow'))
    bytes = 0
  }, period_seconds * 1000)
  const pace = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      callback(null, chunk)
    },
    destroy(error, callback) {
      clearInterval(watch)
      callback(error)
    },
  })
  return pace
}
