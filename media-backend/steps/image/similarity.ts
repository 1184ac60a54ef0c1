/** Side of the windows in which two images are compared, and their distance. */
const [WINDOW, STEP] = [8, 4]
/** Keep flat windows from dividing by zero (Wang et al., 2004), for levels from 0 to 255. */
const [LUMINANCE, CONTRAST] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]

/**
 * Compares two gray images of the same size by structural similarity (SSIM).
 * @returns the mean over all windows; 1 if the images are identical or smaller than a window.
 */
export function measureSimilarity(
  one: Uint8Array,
  other: Uint8Array,
  { width, height }: { width: number; height: number },
): number {
  let [sum, count] = [0, 0]
  for (let y = 0; y + WINDOW <= height; y += STEP)
    for (let x = 0; x + WINDOW <= width; x += STEP) {
      sum += compareWindows(one, other, y * width + x, width)
      count += 1
    }
  return count === 0 ? 1 : sum / count
}

/** @param start position of the first pixel of both windows. */
function compareWindows(one: Uint8Array, other: Uint8Array, start: number, width: number): number {
  let [sum, other_sum, squares, other_squares, products] = [0, 0, 0, 0, 0]
  for (let row = start; row < start + WINDOW * width; row += width)
    for (let at = row; at < row + WINDOW; at += 1) {
      const [level = 0, other_level = 0] = [one[at], other[at]]
      sum += level
      other_sum += other_level
      squares += level * level
      other_squares += other_level * other_level
      products += level * other_level
    }
  const pixels = WINDOW * WINDOW
  const [mean, other_mean] = [sum / pixels, other_sum / pixels]
  const variances = squares / pixels - mean * mean + other_squares / pixels - other_mean * other_mean
  const covariance = products / pixels - mean * other_mean
  const luminance = (2 * mean * other_mean + LUMINANCE) / (mean * mean + other_mean * other_mean + LUMINANCE)
  return (luminance * (2 * covariance + CONTRAST)) / (variances + CONTRAST)
}
