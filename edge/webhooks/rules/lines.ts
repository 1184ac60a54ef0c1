/** Duration of a slow attempt. After one, the other receivers of the account are served first. */
const SLOW_MS = 3000

/** Delivery that waits in its account's queue. */
export interface Waiting {
  /** An endpoint or a URL; null if the delivery was deleted. */
  receiver: string | null
}

/** Returns an account's queue after an attempt. Deliveries to a slow receiver move to the end. */
export function lineAfter<Item extends Waiting>(
  line: readonly Item[],
  { receiver, duration_ms }: Waiting & { duration_ms: number },
): Item[] {
  if (duration_ms < SLOW_MS) return [...line]
  const isOther = (waiting: Item) => waiting.receiver !== receiver
  return [...line.filter(isOther), ...line.filter((waiting) => !isOther(waiting))]
}
