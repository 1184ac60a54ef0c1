/**
 * Allows letters, marks, digits, periods and hyphens in any script, but nothing that a URL parser reads as a path
 * or port.
 */
const DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u
const ASCII = /^\p{ASCII}*$/u

/**
 * Converts the internationalized domain of an address to ASCII (RFC 5891), the form that DNS and mail servers use,
 * so both spellings count as one address. Returns any other text unchanged.
 */
export function asciiEmail(text: string): string {
  const start = text.lastIndexOf('@') + 1
  const domain = text.slice(start)
  if (start === 0 || ASCII.test(domain) || !DOMAIN.test(domain)) return text
  const url = `http://${domain}`
  return URL.canParse(url) ? text.slice(0, start) + new URL(url).hostname : text
}
