export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(mean(values.map(Math.log)))
}
