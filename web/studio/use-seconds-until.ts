import { useEffect, useState } from 'preact/hooks'

/** Counts the seconds down to a time; 0 once it is over, and for null. */
export function useSecondsUntil(until_ms: number | null): number {
  const [now_ms, setNow] = useState(Date.now())
  useEffect(() => {
    setNow(Date.now())
    if (until_ms === null) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until_ms])
  return until_ms === null ? 0 : Math.max(0, Math.ceil((until_ms - now_ms) / 1000))
}
