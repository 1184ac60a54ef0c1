/** Texts, `todo` among them, that configuration files use for a value that the reader must replace. */
const PLACEHOLDER =
  /…|\.\.\.|<[^>]*>|\bexample\.(?:com|org|net)\b|\.(?:example|test|invalid)\b|ACCOUNT_ID|\byour[-_ ]|^(?:change[-_ ]?me|todo|x{3,}|secret|password|replace[-_ ]?me)$/i

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text)
}
