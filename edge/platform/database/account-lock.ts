const WAIT_MS_MAX = 2000

/**
 * Serializes the writers of one account in this isolate to avoid races in the database. This is only an
 * optimization: the database constraints guarantee correctness, and a writer that waits too long proceeds.
 */
const last = new Map<number, Promise<unknown>>()

export async function inTurn<Answer>(account: number, work: () => Promise<Answer>): Promise<Answer> {
  const previous = last.get(account)
  const own = previous === undefined ? work() : afterwards(previous, work)
  const settled = own.then(
    () => undefined,
    () => undefined,
  )
  last.set(account, settled)
  try {
    return await own
  } finally {
    if (last.get(account) === settled) last.delete(account)
  }
}

async function afterwards<Answer>(previous: Promise<unknown>, work: () => Promise<Answer>): Promise<Answer> {
  await Promise.race([previous, scheduler.wait(WAIT_MS_MAX)])
  return work()
}
