/** Players that are closer than this count as equal, so that they do not correct each other forever. */
const TOLERANCE_SECONDS = 0.2

/**
 * Makes two players play, pause, seek and change their speed together.
 * @param offset_seconds position of the first player at the start of the second
 * @returns ends the connection
 */
export function syncPlayers(
  first: HTMLMediaElement,
  second: HTMLMediaElement,
  offset_seconds: number,
): () => void {
  const listeners = new AbortController()
  connect(first, second, -offset_seconds, listeners.signal)
  connect(second, first, offset_seconds, listeners.signal)
  return () => listeners.abort()
}

/** Makes `target` follow what the user does to `source`. */
function connect(
  source: HTMLMediaElement,
  target: HTMLMediaElement,
  shift_seconds: number,
  signal: AbortSignal,
): void {
  const listen = (type: string, handle: () => void) => source.addEventListener(type, handle, { signal })
  const seek = () => {
    const position = Math.max(0, Math.min(source.currentTime + shift_seconds, target.duration || 0))
    if (Math.abs(target.currentTime - position) > TOLERANCE_SECONDS) target.currentTime = position
  }
  listen('play', () => {
    seek()
    // A browser refuses to play without a gesture of the user.
    if (target.paused) target.play().catch(() => undefined)
  })
  listen('pause', () => {
    // The shorter one has ended; the other plays on.
    if (!source.ended) target.pause()
  })
  listen('seeked', seek)
  listen('ratechange', () => {
    if (target.playbackRate !== source.playbackRate) target.playbackRate = source.playbackRate
  })
}
