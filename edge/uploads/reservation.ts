import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { FormError } from '../platform/http/multipart-form.ts'
import { keepUploadStatement } from './queries.ts'

/** How long the bytes of a form count without a sign of life. A request may end without a chance to release them. */
const SILENCE_MS_MAX = 10 * 60 * 1000
const RENEWED_AFTER_MS = 60 * 1000

/** Keeps the row of an upload, whose bytes count, while its form is being received. */
export function openReservation({ db, clock }: Deps, key: string) {
  const begun_until = clock.now() + SILENCE_MS_MAX
  let until = begun_until

  /** Throws FormError if the form was silent for so long that the row may have been deleted. */
  async function renew(age_ms_min = 0): Promise<void> {
    const now = clock.now()
    if (now >= until) throw new FormError('truncated_file')
    const renewed = now + SILENCE_MS_MAX
    if (renewed - until < age_ms_min) return
    await commit(db, [keepUploadStatement(db, key, renewed)])
    until = renewed
  }

  return {
    expires_at: begun_until,
    renew,
    /** Passes chunks through, and renews the reservation from time to time. */
    async *hold(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        await renew(RENEWED_AFTER_MS)
        yield chunk
      }
    },
  }
}
