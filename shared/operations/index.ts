import { resize } from './image/resize.ts'
import type { Operation, ServiceSlug } from './operation.ts'
import { compress } from './video/compress.ts'

/** The catalogue, in the order in which people see it. */
export const OPERATIONS = [compress, resize] as unknown as readonly Operation[]

export function findOperation(service: ServiceSlug, key: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.service === service && operation.key === key)
}
