const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Lets the first signal that ends the process end the move of an account before its next step, so that no refusal of
 * writes is left. The second one ends the process.
 * @returns a function that throws after the first signal
 */
export function watchSignals(account: string): () => void {
  let is_stopped = false
  const stop = () => {
    is_stopped = true
    for (const signal of SIGNALS) process.removeListener(signal, stop)
    console.log(
      `The move stops before its next step. After a second signal, run: npm run ops -- cancel-move ${account}`,
    )
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    if (is_stopped) throw new Error('The move was stopped. The account goes on in its database.')
  }
}
