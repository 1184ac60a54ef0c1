/** An operation with its parameters, as a job runs it. */
export interface Operation {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}

export function isSameOperation(one: Operation, other: Operation): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
