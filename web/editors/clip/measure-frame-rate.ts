const MEASURED_FRAMES = 12
const TIMEOUT_MS = 3000
const RATE_MAX = 130
const USUAL_RATES = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 100, 120]
/** Timestamps of containers are rounded; half the difference between 24 and 23.976. */
const TOLERANCE = 0.0005

/**
 * Measures the frame rate of a video by playing its first frames without sound.
 * @returns frames per second, or null if the browser does not report frames
 */
export async function measureFrameRate(video: HTMLVideoElement): Promise<number | null> {
  if (!('requestVideoFrameCallback' in video)) return null
  const times: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, TIMEOUT_MS)
  const collect: VideoFrameRequestCallback = (_, { mediaTime }) => {
    times.push(mediaTime)
    if (times.length >= MEASURED_FRAMES || video.ended) resolve()
    else video.requestVideoFrameCallback(collect)
  }
  video.requestVideoFrameCallback(collect)
  video.addEventListener('ended', () => resolve(), { once: true })
  video.muted = true
  // A video that cannot start to play must not delay the editor for longer than the timeout.
  await Promise.race([
    promise,
    video.play().then(
      () => promise,
      () => undefined,
    ),
  ])
  clearTimeout(timer)
  video.pause()
  return rateOf(times)
}

/** Returns the frame rate of presented frames, some of which may have been dropped. */
export function rateOf(times: readonly number[]): number | null {
  const sorted = [...new Set(times)].sort((one, other) => one - other)
  const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0))
  const shortest = Math.min(...gaps.filter((gap) => gap > 1 / RATE_MAX))
  if (!Number.isFinite(shortest)) return null
  const length = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  const measured = Math.round(length / shortest) / length
  const usual = USUAL_RATES.reduce((best, rate) =>
    Math.abs(rate - measured) < Math.abs(best - measured) ? rate : best,
  )
  return Math.abs(usual / measured - 1) < TOLERANCE ? usual : measured
}
