/**
 * Returns the name of a file from a path or a header: the last segment, with percent-encoded characters decoded and
 * without control characters. Returns '' if there is none.
 */
export function fileNameIn(encoded: string): string {
  const [last = ''] = decodePercent(encoded)
    .split(/[/\\]+/)
    .filter((segment) => segment !== '')
    .slice(-1)
  return last.replace(/\p{Cc}/gu, '').trim()
}

/** Decodes percent-encoded bytes as UTF-8, or as Latin-1 if they are not valid UTF-8. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes.replace(/%(..)/g, (_byte, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    }
  })
}
