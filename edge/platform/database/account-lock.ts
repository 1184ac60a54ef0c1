/** After this time without progress, the next writer proceeds: a canceled request never ends its turn. */
const STUCK_MS = 2000

/** The writers of one account in this isolate, in order. */
interface Line {
  /** Ends with the last writer. */
  last: Promise<void>
  /** When a turn last began or ended. */
  progress_at: number
}

/**
 * Serializes the writers of one account in this isolate to avoid races in the database. This is only an
 * optimization: the database constraints guarantee correctness.
 */
const lines = new Map<number, Line>()

export async function inTurn<Answer>(account: number, work: () => Promise<Answer>): Promise<Answer> {
  const line = lines.get(account) ?? { last: Promise.resolve(), progress_at: Date.now() }
  lines.set(account, line)
  const previous = line.last
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  line.last = ended
  try {
    await waitForTurn(previous, line)
    line.progress_at = Date.now()
    return await work()
  } finally {
    line.progress_at = Date.now()
    end()
    if (line.last === ended) lines.delete(account)
  }
}

/**
 * Waits until the previous writer has ended. However long the line is, writers do not overtake each other while it
 * moves: writers that run side by side lose races and repeat their work.
 */
async function waitForTurn(previous: Promise<void>, line: Line): Promise<void> {
  const over = previous.then(() => true)
  for (;;) {
    const stuck_ms = Date.now() - line.progress_at
    if (stuck_ms >= STUCK_MS) return
    const isOver = await Promise.race([over, scheduler.wait(STUCK_MS - stuck_ms).then(() => false)])
    if (isOver) return
  }
}
