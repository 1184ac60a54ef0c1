/**
 * Keeps the direction of a user's text, such as a file name, from changing that of the sentence around it. In markup,
 * `<bdi>` does the same.
 */
export function isolate(text: string): string {
  const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']
  // An override or embedding that the text leaves open ends with the isolate; an isolate of its own does not matter.
  return `${FIRST_STRONG_ISOLATE}${text.replace(/[\u2066-\u2069]/g, '')}${POP_ISOLATE}`
}
