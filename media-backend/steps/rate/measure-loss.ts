/** Keeps flat areas from dividing by zero, for levels from 0 to 255 (Xue et al., 2014). */
const FLAT = 170
/** Frames with less contrast than this, such as a fade from black, show no loss. */
const GRADIENT_MIN = 0.5

/**
 * Measures how unevenly two gray frames differ in their edges (gradient magnitude similarity deviation).
 * @returns 0 if the frames are identical; null if the first frame has no detail.
 */
export function measureLoss(
  source: Uint8Array,
  encoded: Uint8Array,
  { width, height }: { width: number; height: number },
): number | null {
  let [sum, squares, gradients] = [0, 0, 0]
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const [one, other] = [gradientAt(source, at, width), gradientAt(encoded, at, width)]
      const similarity = (2 * one * other + FLAT) / (one * one + other * other + FLAT)
      sum += similarity
      squares += similarity * similarity
      gradients += one
    }
  const count = (width - 2) * (height - 2)
  if (gradients / count < GRADIENT_MIN) return null
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean * mean))
}

/** Returns the length of the gradient, by the operators of Prewitt. */
function gradientAt(pixels: Uint8Array, at: number, width: number): number {
  const [above, below] = [at - width, at + width]
  const left = level(pixels, above - 1) + level(pixels, at - 1) + level(pixels, below - 1)
  const right = level(pixels, above + 1) + level(pixels, at + 1) + level(pixels, below + 1)
  const top = level(pixels, above - 1) + level(pixels, above) + level(pixels, above + 1)
  const bottom = level(pixels, below - 1) + level(pixels, below) + level(pixels, below + 1)
  const [across, down] = [right - left, bottom - top]
  // Much faster than Math.hypot, which guards against overflows.
  return Math.sqrt(across * across + down * down) / 3
}

function level(pixels: Uint8Array, at: number): number {
  return pixels[at] ?? 0
}
