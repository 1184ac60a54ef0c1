const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C arrives twice: from the terminal, and from npm, which forwards it. */
const FORWARDED_MS = 1000

/**
 * Lets the first signal that ends the process end the move of an account before its next step, so that no refusal of
 * writes is left. One that is sent a second later ends the process.
 * @returns a function that throws after the first signal
 */
export function watchSignals(account: number): () => void {
  let is_stopped = false
  const stop = () => {
    if (is_stopped) return
    is_stopped = true
    setTimeout(() => {
      for (const signal of SIGNALS) process.removeListener(signal, stop)
    }, FORWARDED_MS).unref()
    console.log(
      `The move stops before its next step. After a second signal, run: npm run ops -- cancel-move ${account}`,
    )
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    if (is_stopped) throw new Error('The move was stopped. The account goes on in its database.')
  }
}
