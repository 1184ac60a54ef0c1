/** The rates of broadcasting, which people write as 23.98, 29.97 and 59.94. */
const BROADCAST = [24, 30, 48, 60, 120].map((frames) => ({
  text: `${frames}000/1001`,
  value: (frames * 1000) / 1001,
}))
const TOLERANCE = 0.006

/** A frame rate as ffmpeg reads it: 29.97 → "30000/1001". */
export function ffmpegRate(frames_per_second: number): string {
  const known = BROADCAST.find(({ value }) => Math.abs(value - frames_per_second) < TOLERANCE)
  return known?.text ?? String(Number(frames_per_second.toFixed(3)))
}
