/** One JSON line for each event, so that any collector can read the fleet's output. */
export function log(event: string, details: Record<string, unknown> = {}): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...details }))
}

/** What went wrong, for the operator's log only: never sent to a customer. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
