const WAIT_MS_MAX = 2000

/**
 * Lets the writers of one account in this isolate take turns, so that they don't race each other to the
 * database. Only the database's constraints make it correct; who waited too long goes ahead.
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
