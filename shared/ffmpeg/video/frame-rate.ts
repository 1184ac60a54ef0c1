/** Broadcast rates, commonly written as 23.98, 29.97 and 59.94. */
const BROADCAST = [24, 30, 48, 60, 120].map((frames) => ({
  text: `${frames}000/1001`,
  value: (frames * 1000) / 1001,
}))
const TOLERANCE = 0.006

/** Returns the exact broadcast rate (23.976 → 23.976023976…), because the difference adds up in long videos. */
export function exactRate(frames_per_second: number): number {
  return broadcastRate(frames_per_second)?.value ?? frames_per_second
}

function broadcastRate(frames_per_second: number) {
  return BROADCAST.find(({ value }) => Math.abs(value - frames_per_second) < TOLERANCE)
}

/** Formats a frame rate for ffmpeg: 29.97 → "30000/1001". */
export function ffmpegRate(frames_per_second: number): string {
  return broadcastRate(frames_per_second)?.text ?? String(Number(frames_per_second.toFixed(3)))
}
