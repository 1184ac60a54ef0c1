import type { Statement } from '../db/client.ts'

/**
 * Where a request carried an Idempotency-Key: the statements that keep its answer, for the commit of its
 * work. None where it didn't.
 */
export type RecordAnswer = (body: object) => Statement[]

export const recordNothing: RecordAnswer = () => []
