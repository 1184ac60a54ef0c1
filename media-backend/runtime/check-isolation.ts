import type { Environment } from '../environment.ts'
import { log } from './log.ts'
import { type Isolation, readIsolation } from './sandbox.ts'

/** What a decoder of strangers' files is kept from, by the mechanisms of the kernel (docs/isolation.md). */
export interface IsolationLevel {
  /** Reads and writes outside of the job's folder, and the memory of other processes. */
  files: boolean
  /** Every connection, except that of a reader of ranges to its server. */
  network: boolean
  /** Other ports of this machine, for a reader of ranges and for yt-dlp. */
  ports: boolean
  /** Signals to other processes. */
  signals: boolean
}

export function levelOf({ landlock, seccomp }: Isolation): IsolationLevel {
  return { files: landlock >= 1, network: seccomp, ports: landlock >= 4 && seccomp, signals: landlock >= 6 }
}

/**
 * Logs what decoders are kept from.
 * @throws Error if they must be isolated and this machine cannot do it.
 */
export function checkIsolation(
  { ENVIRONMENT, DECODER_ISOLATION }: Pick<Environment, 'ENVIRONMENT' | 'DECODER_ISOLATION'>,
  isolation = readIsolation(),
): IsolationLevel {
  const level = levelOf(isolation)
  log('decoder_isolation', { ...isolation, ...level })
  if (level.files && level.network) return level
  const missing = level.network
    ? 'Landlock'
    : level.files
      ? 'seccomp filters'
      : 'Landlock and seccomp filters'
  if ((DECODER_ISOLATION ?? (ENVIRONMENT === 'local' ? 'optional' : 'required')) === 'required') {
    throw new Error(
      `This machine has no ${missing}, so files of customers would be decoded beside the secrets of the fleet. ` +
        'Use Linux 5.13 or newer with perl, or set DECODER_ISOLATION=optional (docs/isolation.md).',
    )
  }
  log('decoders_not_isolated', { missing })
  return level
}
