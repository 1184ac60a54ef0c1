import { convert } from './image/convert.ts'
import { resize } from './image/resize.ts'
import type { Operation, ServiceSlug } from './operation.ts'
import { compress } from './video/compress.ts'
import { thumbnail } from './video/thumbnail.ts'
import { trim } from './video/trim.ts'

/** The catalogue, in the order in which people see it. */
export const OPERATIONS = [compress, trim, thumbnail, resize, convert] as unknown as readonly Operation[]

export function findOperation(service: ServiceSlug, key: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.service === service && operation.key === key)
}
