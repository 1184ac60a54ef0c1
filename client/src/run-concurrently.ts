const CONCURRENT_TASKS = 4

/** Runs a task for each index, a few at a time. The first failure stops the others. */
export async function runConcurrently<Answer>(
  count: number,
  signal: AbortSignal | undefined,
  run: (index: number, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer[]> {
  const stop = new AbortController()
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const answers: Answer[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      answers[index] = await run(index, either)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_TASKS, count) }, work))
    return answers
  } catch (error) {
    stop.abort(error)
    throw error
  }
}
