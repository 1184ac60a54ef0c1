import type { Statement } from '../database/client.ts'

/**
 * Where a request carried an Idempotency-Key: the statements that keep its answer, for the commit of its
 * work. None where it didn't.
 * @param form the digest of a form, which was not known before all of it had come in.
 */
export type RecordAnswer = (body: object, form?: string) => Statement[]

export const recordNothing: RecordAnswer = () => []
