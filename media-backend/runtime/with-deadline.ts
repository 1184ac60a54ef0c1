/** Returns the result of work, or rejects if it takes longer. The work itself continues. */
export async function withDeadline<T>(work: Promise<T>, deadline_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${deadline_ms} ms`)), deadline_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
