import type { Statement } from '../database/client.ts'

/**
 * Returns statements that store the response under the Idempotency-Key in the same commit as the work. Returns none
 * if the request has no key.
 * @param form the digest of a form, which is known only after the form has been read.
 */
export type RecordAnswer = (body: object, form?: string) => Statement[]

export const recordNothing: RecordAnswer = () => []
