import type { Statement } from '../database/client.ts'

/**
 * Returns statements that store the response under the Idempotency-Key, for the commit of the work; none
 * without a key.
 * @param form the digest of a form, known only after it was read.
 */
export type RecordAnswer = (body: object, form?: string) => Statement[]

export const recordNothing: RecordAnswer = () => []
