/** Returns the options of an encoder with another rate factor. */
export function withRate(options: readonly string[], rate: number): string[] {
  return options.map((option, position) => (options[position - 1] === '-crf' ? String(rate) : option))
}
